---- MODULE DeadReadersHoldWatermark ----
\* removes: NoLiveReaderBelow
\* dies: LeftoversVanish
\* model: Progress2x1
\* override: NoLiveReaderBelow <- Without
\* properties: LeftoversVanish
\* why: A transaction manager that waits for dead readers never raises the watermark: what dead clients left
\*   stays for ever, and every reader of the key pays for it.
EXTENDS MCProgress

Without(ts) == \A t \in Txn : status[t] \in {"active", "dead"} => ts <= readTs[t]
====
