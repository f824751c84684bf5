---- MODULE CollectsWithPutInFlight ----
\* removes: NoPutInFlight
\* dies: Snapshot
\* model: Late3x1
\* override: NoPutInFlight <- Without
\* why: A deletion is collected while a put from before is under way. It arrives, and the key is back.
EXTENDS MCPH1

Without(k) == TRUE
====
