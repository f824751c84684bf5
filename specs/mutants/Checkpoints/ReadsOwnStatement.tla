---- MODULE ReadsOwnStatement ----
\* removes: ReadPoint
\* dies: OwnReads
\* model: Levels1x1
\* override: ReadPoint <- Without
\* why: A statement that inserts what it selects reads what it has inserted, and never comes to its end.
EXTENDS MCCheckpoints

Without(t) == WritePoint(t)
====
