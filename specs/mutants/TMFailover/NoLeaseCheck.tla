---- MODULE NoLeaseCheck ----
\* removes: LeaseOnReceipt
\* dies: StrongSI
\* model: Failover2x2
\* override: LeaseOnReceipt <- Without
\* why: A paused primary wakes after its lease and answers a begin request, before it has noticed anything:
\*   the read timestamp lies below commits that were answered before the request was sent. A timer that
\*   clears a flag does not help, it pauses with the process.
EXTENDS MCTMFailover

Without(i) == TRUE
====
