---- MODULE WritesWithoutRowLock ----
\* removes: RowIsFree
\* dies: Snapshot
\* model: Collect1x1
\* override: RowIsFree <- Without
\* why: Two fast-path updates of a row look one after the other before either is stored: the second one
\*   does not see the first one, and overwrites it.
EXTENDS MCFastPath

Without(k) == TRUE
====
