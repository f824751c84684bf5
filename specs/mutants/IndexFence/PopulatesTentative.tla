---- MODULE PopulatesTentative ----
\* removes: BornCommitted
\* dies: IndexIsFunction
\* model: Build1x1
\* override: BornCommitted <- Without
\* why: Index records without commit cell belong to nobody who is in the commit table: readers take them for aborted, and the
\*   index is empty.
EXTENDS MCIndexFence

Without(w) == NoTs
====
