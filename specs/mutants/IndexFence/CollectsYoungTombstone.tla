---- MODULE CollectsYoungTombstone ----
\* removes: IsSettled
\* dies: IndexIsFunction
\* model: Collect1x1
\* override: IsSettled <- Without
\* why: During the build a row gets another value, and the old one's index record a tombstone, under which nothing
\*   lies. It is collected; then the build puts the index record, which its snapshot has.
EXTENDS MCIndexFence

Without(t, k) == commitCell[k][t] # NoTs
====
