---- MODULE CleansWithoutReRead ----
\* removes: StillTentative
\* dies: Snapshot
\* model: Collect2x1
\* override: StillTentative <- Without
\* why: The collector met a record without commit cell; then it was healed and the entry collected; then the
\*   collector asks the commit table and finds nothing. Without a second look it removes a committed
\*   record.
EXTENDS MCOmidLL

Without(t, k) == TRUE
====
