---- MODULE CommitsBeforeIndex ----
\* removes: IndexStored
\* dies: IndexIsFunction
\* model: Build1x1
\* override: IndexStored <- Without
\* why: A transaction commits when its row is stored, and its index records are not: the row is not found by its new
\*   value.
EXTENDS MCIndexFence

Without(t) == TRUE
====
