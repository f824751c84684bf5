---- MODULE LeaseFromAnswer ----
\* removes: AgeOfNewLease
\* dies: OneLeads
\* model: Drift2
\* override: AgeOfNewLease <- Without
\* why: The renewal was written long before its answer came. A backup that saw it has waited for a full
\*   lease; the holder who counts from the answer still answers.
EXTENDS MCTMFailover

Without(i) == 0
====
