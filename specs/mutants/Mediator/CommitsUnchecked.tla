---- MODULE CommitsUnchecked ----
\* removes: IsChecked
\* dies: DisjointWrites
\* model: Social1x1
\* override: IsChecked <- Without
\* why: A client that does not wait for the check of every key commits over a native put.
EXTENDS MCMediator

Without(t) == TRUE
====
