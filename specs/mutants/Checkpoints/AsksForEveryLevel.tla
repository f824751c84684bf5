---- MODULE AsksForEveryLevel ----
\* removes: IsLastLevel
\* dies: EntriesTrue
\* model: Pair2x1
\* override: IsLastLevel <- Without
\* why: A reader with an older snapshot passes the last level of a transaction that committed after it, and asks for
\*   the earlier one, which has no commit cell. The entry is gone: he writes a marker for who has committed.
EXTENDS MCCheckpoints

Without(k, r) == TRUE
====
