---- MODULE HelpsAbort ----
\* removes: RecordsAfterPassing
\* dies: NoLostFollower
\* model: Faults2x2
\* override: RecordsAfterPassing <- Without
\* why: A reader meets the follower before the leader's put has arrived, takes the missing leader for an aborted one,
\*   and tells all who come later, in the record. The leader comes, and the transaction commits: half of it is lost.
EXTENDS MCFragola

Without(k, w) == stored[k] \ {w}
====
