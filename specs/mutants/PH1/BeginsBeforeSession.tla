---- MODULE BeginsBeforeSession ----
\* removes: SeesSession
\* dies: StrongSI
\* model: Session3x2
\* override: SeesSession <- Without
\* why: Somebody's earlier transaction stands before the horizon. A user begins again, and does not find what was
\*   answered to him.
EXTENDS MCPH1

Without(t) == TRUE
====
