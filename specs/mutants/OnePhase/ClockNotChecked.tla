---- MODULE ClockNotChecked ----
\* removes: ClockAllows
\* dies: Snapshot
\* model: Blind2x1
\* override: ClockAllows <- Without
\* why: A reader has looked at a key in its snapshot, and found the batch missing. Then the batch comes, with an
\*   earlier timestamp: its commit is below a read that was served already.
EXTENDS MCOnePhase

Without(t, s) == TRUE
====
