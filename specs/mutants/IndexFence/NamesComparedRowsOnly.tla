---- MODULE NamesComparedRowsOnly ----
\* removes: NamesTable
\* dies: FencedNeverCommits
\* model: Free1x1
\* override: NamesTable <- Without
\* why: Writes that need not be compared are not named to the transaction manager at all, so the fence does not bind
\*   who made them: a committed row without index record.
EXTENDS MCIndexFence

Without(t) == Compared(t) # {}
====
