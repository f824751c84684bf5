---- MODULE LeaseOneUnitLonger ----
\* removes: LeaseLasts
\* dies: OneLeads
\* model: Drift2
\* override: LeaseLasts <- Without
\* why: The lease ends before its length has gone by, the wait not before: at the border both TMs would
\*   lead.
EXTENDS MCTMFailover

Without(i) == age[i] <= Lease
====
