---- MODULE NobodyAborts ----
\* removes: HelperAbort
\* dies: EntriesSettle
\* model: Progress1x1
\* override: HelperAbort <- Without
\* why: A client dies between its commit timestamp and its record. Its entry stays in the ring.
EXTENDS MCMediator

Without(t) == FALSE
====
