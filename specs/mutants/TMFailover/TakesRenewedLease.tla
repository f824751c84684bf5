---- MODULE TakesRenewedLease ----
\* removes: ReplacesWhatItSaw
\* dies: OneLeads
\* model: Drift2
\* override: ReplacesWhatItSaw <- Without
\* why: A challenger that does not name the version that it saw takes a lease that was renewed since it
\*   looked last.
EXTENDS MCTMFailover

Without(i) == i \in current \/ role[i] = "backup"
====
