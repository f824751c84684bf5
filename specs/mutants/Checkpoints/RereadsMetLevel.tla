---- MODULE RereadsMetLevel ----
\* removes: LookedAtAgain
\* dies: MarkersRepaired
\* model: Steps2x1
\* override: LookedAtAgain <- Without
\* why: A reader marks a writer who has committed and removed his entry since. He looks again at the level that he met, which
\*   has no commit cell since there is a later one, and takes him for aborted; the marker stays.
EXTENDS MCCheckpoints

Without(k, ts) == {r \in stored[k] : r.ts = ts}
====
