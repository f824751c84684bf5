---- MODULE NobodyCleans ----
\* removes: CleanLeftover
\* dies: FastPathOpens
\* model: Progress1x1
\* override: CleanLeftover <- Without
\* why: A client dies and leaves a tentative record. Fast-path writes give up where they meet it, and where
\*   nobody removes it, they do so for ever.
EXTENDS MCFastProgress

Without(t, k) == FALSE
====
