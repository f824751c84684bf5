---- MODULE AnyVersion ----
\* removes: IsNewest
\* dies: Snapshot
\* model: Asks3x1
\* override: IsNewest <- Without
\* why: A traversal that does not start at the latest version returns a value that was overwritten before
\*   the reader began.
EXTENDS MCOmidLL

Without(w, records) == TRUE
====
