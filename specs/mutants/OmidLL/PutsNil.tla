---- MODULE PutsNil ----
\* removes: CommitCellAfterPut
\* dies: Snapshot
\* model: Tombstones2x1
\* override: CommitCellAfterPut <- Without
\* why: A put that names the commit cell, as nil, and arrives for the second time after post-commit wipes
\*   the commit timestamp. The commit-table entry is gone by then: the next reader takes the writer for
\*   pending, aborts it in its own eyes, and a committed update disappears.
EXTENDS MCOmidLL

Without(t, k) == NoTs
====
