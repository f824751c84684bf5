---- MODULE ReadyHalfBuilt ----
\* removes: AllPopulated
\* dies: IndexIsFunction
\* model: Build1x1
\* override: AllPopulated <- Without
\* why: The index is used before the build has come to the end of the table: rows are missing.
EXTENDS MCIndexFence

Without(p) == TRUE
====
