---- MODULE GoesOnAfterLosingLease ----
\* removes: StillHolder
\* dies: OneLeads
\* model: Drift2
\* override: StillHolder <- Without
\* why: A holder whose renewal was refused reads the new version and renews that, as if it were its own.
EXTENDS MCTMFailover

Without(i) == TRUE
====
