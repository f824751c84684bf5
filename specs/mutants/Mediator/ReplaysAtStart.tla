---- MODULE ReplaysAtStart ----
\* removes: ReplayTs
\* dies: SnapshotLegal
\* model: Helper2x1
\* override: ReplayTs <- Without
\* why: The write set has the start timestamp only, as the paper's log record has. The helper writes back below
\*   the commit timestamp: who began in between finds it when he looks again.
EXTENDS MCMediator

Without(t) == readTs[t]
====
