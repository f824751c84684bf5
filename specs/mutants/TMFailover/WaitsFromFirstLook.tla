---- MODULE WaitsFromFirstLook ----
\* removes: AgeAfterLook
\* dies: OneLeads
\* model: Drift2
\* override: AgeAfterLook <- Without
\* why: A backup that does not begin to wait anew when it sees a renewal challenges a lease that is still
\*   fresh.
EXTENDS MCTMFailover

Without(i) == age[i]
====
