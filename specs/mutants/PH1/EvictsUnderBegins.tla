---- MODULE EvictsUnderBegins ----
\* removes: NextSnapshot
\* dies: AbortsHaveReason
\* model: Plain2x1
\* override: NextSnapshot <- Without
\* why: While a flush is under way, who begins now has a snapshot below it. The old value has just been evicted.
EXTENDS MCPH1

Without == clock + 1
====
