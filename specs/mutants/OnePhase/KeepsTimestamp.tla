---- MODULE KeepsTimestamp ----
\* removes: TimestampFor
\* dies: Snapshot
\* model: Blind2x1
\* override: TimestampFor <- Without
\* why: A batch was refused because a reader with a later snapshot had looked. Committed the long way at the same
\*   timestamp, the transaction is in that snapshot all the same.
EXTENDS MCOnePhase

Without(t) == IF commitTs[t] = NoTs THEN NextTs ELSE commitTs[t]
====
