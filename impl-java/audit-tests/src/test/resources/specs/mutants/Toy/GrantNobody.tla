---- MODULE GrantNobody ----
\* removes: LockFree
\* dies: AllDone
\* model: Small
\* override: LockFree <- NotTheFirst
\* why: a guard that is too strong starves somebody
EXTENDS MCToy
NotTheFirst(c) == holder = {} /\ c # CHOOSE x \in Client : TRUE
====
