---- MODULE BesideAlwaysDoubted ----
\* removes: CannotTellYet
\* dies: SecondRequestsHaveReason
\* model: Beside2x1
\* override: CannotTellYet <- Without
\* why: Whoever has put something before he is certified goes to the TM twice.
EXTENDS MCOnePhase

Without(t, k) == commitTs[t] = NoTs
====
