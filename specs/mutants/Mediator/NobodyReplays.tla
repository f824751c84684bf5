---- MODULE NobodyReplays ----
\* removes: Replay
\* dies: EntriesSettle
\* model: Progress1x1
\* override: Replay <- Without
\* why: A client dies with its record in the log. Where nobody writes it back, its entry stays in the ring, and
\*   readers of the key wait for it and abort, for ever.
EXTENDS MCMediator

Without(t, k) == FALSE
====
