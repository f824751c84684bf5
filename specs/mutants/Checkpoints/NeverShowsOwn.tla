---- MODULE NeverShowsOwn ----
\* removes: ReadPoint
\* dies: OwnReads
\* model: Levels1x1
\* override: ReadPoint <- Without
\* why: After the snapshot a transaction still does not see what it wrote since the checkpoint: its own update vanishes.
EXTENDS MCCheckpoints

Without(t) == IF level[t] = 0 THEN WritePoint(t) ELSE WritePoint(t) - 1
====
