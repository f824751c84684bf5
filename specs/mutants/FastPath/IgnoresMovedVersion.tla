---- MODULE IgnoresMovedVersion ----
\* removes: IsSame
\* dies: Snapshot
\* model: Update2x1
\* override: IsSame <- Without
\* why: A wc that does not compare overwrites an update that came after its br.
EXTENDS MCFastPath

Without(last, k) == TRUE
====
