---- MODULE NoDatabaseCheck ----
\* removes: NoConflictInDatabase
\* dies: DisjointWrites
\* model: Social1x1
\* override: NoConflictInDatabase <- Without
\* why: Nobody looks for native puts: the status that a user has posted is overwritten by one computed before.
EXTENDS MCMediator

Without(t, k) == TRUE
====
