---- MODULE PutsTwiceInLevel ----
\* removes: OncePerLevel
\* dies: OwnReads
\* model: Twice1x1
\* override: OncePerLevel <- Without
\* why: A transaction puts a key twice at a level. A copy of the first put arrives after the second: the second is gone.
EXTENDS MCCheckpoints

Without(t, k) == TRUE
====
