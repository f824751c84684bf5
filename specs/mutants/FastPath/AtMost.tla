---- MODULE AtMost ----
\* removes: IsSame
\* dies: Snapshot
\* model: Collect1x1
\* override: IsSame <- Without
\* why: The paper's wc passes if the last committed version is at most what br told. A deletion in between,
\*   tombstone and all older versions collected, leaves nothing, which is at most anything: the write
\*   overwrites a deletion that it has not seen.
EXTENDS MCFastPath

Without(last, k) == LastCommitted(k) <= last
====
