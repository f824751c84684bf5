---- MODULE StampsBeforeSync ----
\* removes: KnowsTheTime
\* dies: DisjointWrites
\* model: Servers1x1
\* override: KnowsTheTime <- Without
\* properties: DisjointWrites
\* why: The server forgets that it was fenced, and stamps a put below the commit timestamp for which it was
\*   checked.
EXTENDS MCMediator

Without(s) == TRUE
====
