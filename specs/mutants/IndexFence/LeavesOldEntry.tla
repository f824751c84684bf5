---- MODULE LeavesOldEntry ----
\* removes: Obsolete
\* dies: IndexIsFunction
\* model: Build1x1
\* override: Obsolete <- Without
\* why: The trigger writes the new value's index record and leaves the old one's: the row is found by a value that it
\*   had once.
EXTENDS MCIndexFence

Without(t, k) == {}
====
