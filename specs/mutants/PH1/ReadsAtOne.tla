---- MODULE ReadsAtOne ----
\* removes: ReaderMayGet
\* dies: Snapshot
\* model: Plain2x1
\* override: ReaderMayGet <- Without
\* why: A reader asks one replica, which has not got the last value yet.
EXTENDS MCPH1

Without(k) == {stored[k]} \cup overwritten[k]
====
