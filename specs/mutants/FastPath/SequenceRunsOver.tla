---- MODULE SequenceRunsOver ----
\* removes: SequenceLeft
\* dies: ClockBounded
\* model: Plain1x2
\* override: SequenceLeft <- Without
\* why: When the sequence is exhausted, the next version is the transaction manager's next timestamp: a
\*   transaction that begins later has a snapshot with that number, and does not see the write that was
\*   answered before.
EXTENDS MCFastPath

Without(k) == TRUE
====
