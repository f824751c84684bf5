---- MODULE ChecksLeaseBeforeReply ----
\* removes: LeaseOnReceipt
\* model: Failover2x2
\* override: LeaseOnReceipt <- Without
\* override: LeaseBeforeReply <- Leads
\* survives: The check may be made before the reply instead: a lease that lasts then lasted at receipt.
EXTENDS MCTMFailover

Without(i) == TRUE
====
