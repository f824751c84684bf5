---- MODULE SendsWriteAgain ----
\* removes: FirstTry
\* dies: AnswersTrue
\* model: Faults1x1
\* override: FirstTry <- Without
\* why: A client whose fast-path write was not answered sends it again. It was stored, so the second one is
\*   refused, and the client is told that nothing was written.
EXTENDS MCFastPath

Without(f) ==
    \/ status[f] = "idle" /\ fast[f].step = "between"
    \/ status[f] = "unresolved" /\ fast[f].step = "none"
====
