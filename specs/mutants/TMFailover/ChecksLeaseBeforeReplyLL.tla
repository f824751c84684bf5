---- MODULE ChecksLeaseBeforeReplyLL ----
\* removes: LeaseOnReceipt
\* model: FailoverLL2x2
\* override: LeaseOnReceipt <- Without
\* override: LeaseBeforeReply <- Leads
\* survives: The same with OmidLL: one check between receipt and reply is enough, and it does not matter where it
\*   is made.
EXTENDS MCFailoverLL

Without(i) == TRUE
====
