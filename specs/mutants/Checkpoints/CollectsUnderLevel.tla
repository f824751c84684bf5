---- MODULE CollectsUnderLevel ----
\* removes: IsSuperseded
\* dies: Snapshot
\* model: Collect3x1
\* override: IsSuperseded <- Without
\* why: A compaction takes a tentative level for the newer version that supersedes the one below: what everybody reads is
\*   gone, and does not come back when the transaction aborts.
EXTENDS MCCheckpoints

Without(k, r) == r.ts < watermark /\ \E x \in stored[k] : r.ts < x.ts
====
