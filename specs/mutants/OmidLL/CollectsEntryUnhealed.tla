---- MODULE CollectsEntryUnhealed ----
\* removes: AllHealed
\* dies: Snapshot
\* model: Collect2x1
\* override: AllHealed <- Without
\* why: The entry of a client that died in post-commit is the only place that says the record is committed.
\*   Collected before a full pass has healed every record, it takes the transaction with it.
EXTENDS MCOmidLL

Without(t) == TRUE
====
