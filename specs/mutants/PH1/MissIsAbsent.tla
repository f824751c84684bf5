---- MODULE MissIsAbsent ----
\* removes: MissAborts
\* dies: Snapshot
\* model: Versions3x1
\* override: MissAborts <- Without
\* why: The paper's rule: what the NPVS does not have never existed. Its instances have died, and a key that was there
\*   for all snapshots is missing in one.
EXTENDS MCPH1

Without == FALSE
====
