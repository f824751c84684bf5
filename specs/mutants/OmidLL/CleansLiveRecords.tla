---- MODULE CleansLiveRecords ----
\* removes: IsBelowWatermark
\* dies: Snapshot
\* model: Collect2x1
\* override: IsBelowWatermark <- Without
\* why: A record above the watermark belongs to a transaction that may still commit. A collector that
\*   removes it because there is no entry yet leaves a committed transaction without its record.
EXTENDS MCOmidLL

Without(t) == TRUE
====
