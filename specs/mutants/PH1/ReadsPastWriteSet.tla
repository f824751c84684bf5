---- MODULE ReadsPastWriteSet ----
\* removes: IsOwnWrite
\* dies: OwnWrites
\* model: Plain2x1
\* override: IsOwnWrite <- Without
\* why: A transaction reads the store where it has written itself, and does not find its own update.
EXTENDS MCPH1

Without(t, k) == FALSE
====
