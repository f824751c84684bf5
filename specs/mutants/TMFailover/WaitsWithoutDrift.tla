---- MODULE WaitsWithoutDrift ----
\* removes: WaitedOut
\* dies: OneLeads
\* model: Drift2
\* override: WaitedOut <- Without
\* why: A challenger that waits for the length of a lease on its own fast clock takes over before the
\*   holder's slow clock ends it.
EXTENDS MCTMFailover

Without(i) == age[i] >= Lease
====
