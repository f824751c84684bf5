---- MODULE CollectsWithPutInFlight ----
\* removes: NoPutInFlight
\* dies: Snapshot
\* model: Delete3x1
\* override: NoPutInFlight <- Without
\* override: HealLeftover <- Never2
\* override: CollectEntry <- Never1
\* override: RemoveCommitEntry <- Never1
\* why: A copy of a put arrives after its version, and the tombstone above it, were collected. The commit-
\*   table entry still says committed: a deleted value is back.
EXTENDS MCOmidLL

Without(t, k) == TRUE
====
