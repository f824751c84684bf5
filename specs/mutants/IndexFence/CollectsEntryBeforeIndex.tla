---- MODULE CollectsEntryBeforeIndex ----
\* removes: IndexHealed
\* dies: IndexIsFunction
\* model: Deaths1x1
\* override: IndexHealed <- Without
\* why: A client dies after its commit. The collector heals its rows, passes over its records in the index, and removes
\*   the commit-table entry: these records are lost.
EXTENDS MCIndexFence

Without(t) == TRUE
====
