---- MODULE RemovesEntryBeforeIndex ----
\* removes: IndexCellsDurable
\* dies: IndexIsFunction
\* model: Build1x1
\* override: IndexCellsDurable <- Without
\* why: The client takes the rows that it named to the transaction manager for all that it wrote, and removes its
\*   commit-table entry before the index's records have their commit cells. Readers then take these for aborted.
EXTENDS MCIndexFence

Without(t) == TRUE
====
