---- MODULE HealsEveryLevel ----
\* removes: Healed
\* dies: LastLevelRead
\* model: Fast1x1
\* override: Healed <- Without
\* why: A client writes commit cells from the first level on. A fast-path read comes in between and returns what the
\*   transaction itself has overwritten.
EXTENDS MCCheckpoints

Without(t) == AllRecords(t)
====
