---- MODULE TrustsLostClock ----
\* removes: SyncedAfterCrash
\* dies: NoTies
\* model: Servers1x1
\* override: SyncedAfterCrash <- Without
\* why: A server that was started again stamps from zero: two puts have the same stamp, and one never existed.
EXTENDS MCMediator

Without(s) == synced
====
