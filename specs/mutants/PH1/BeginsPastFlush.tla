---- MODULE BeginsPastFlush ----
\* removes: Unflushed
\* dies: Snapshot
\* model: Plain2x1
\* override: Unflushed <- Without
\* why: A transaction begins above a commit that is still being flushed, and reads the value before it.
EXTENDS MCPH1

Without == {}
====
