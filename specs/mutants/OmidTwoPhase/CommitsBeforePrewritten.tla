---- MODULE CommitsBeforePrewritten ----
\* removes: AllPrewritten
\* dies: Snapshot
\* model: Faults2x2
\* override: AllPrewritten <- Without
\* why: A transaction has its commit timestamp while a prewrite is still on its way. A reader that begins after
\*   that finds no intent on the key and reads the old value, although its snapshot has the new one.
EXTENDS MCOmidTwoPhase

Without(t) == TRUE
====
