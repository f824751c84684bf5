---- MODULE BesideAsksAlways ----
\* removes: WasReadLater
\* dies: SecondRequestsHaveReason
\* model: Beside2x1
\* override: WasReadLater <- Without
\* why: All go to the TM twice, and nobody notices but by the time that it takes.
EXTENDS MCOnePhase

Without(t, k) == TRUE
====
