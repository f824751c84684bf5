---- MODULE WritesBackUnlogged ----
\* removes: MayWriteBack
\* dies: NoDirtyRead
\* model: Helper2x1
\* override: MayWriteBack <- Without
\* why: A client writes back before its record is in the log. The helper aborts it, and a value that never
\*   existed has been read.
EXTENDS MCMediator

Without(t) == TRUE
====
