---- MODULE SavesNoAbsence ----
\* removes: IsSaved
\* dies: AbortsHaveReason
\* model: Plain2x1
\* override: IsSaved <- Without
\* why: The first write of a key saves nothing, since there was nothing. A reader from before cannot tell that from a
\*   version that was lost.
EXTENDS MCPH1

Without(w) == w # NoTxn
====
