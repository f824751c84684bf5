---- MODULE NoLeaseCheckLL ----
\* removes: LeaseOnReceipt
\* dies: Snapshot
\* model: FailoverLL2x2
\* override: LeaseOnReceipt <- Without
\* why: A reader of the new epoch reads a key; then a writer of the old epoch stores its record and asks the
\*   paused, old primary to commit. It gets a commit timestamp below the reader's snapshot, which missed
\*   it.
EXTENDS MCFailoverLL

Without(i) == TRUE
====
