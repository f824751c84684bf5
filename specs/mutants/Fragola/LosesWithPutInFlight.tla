---- MODULE LosesWithPutInFlight ----
\* removes: SentOnce
\* dies: Snapshot
\* model: Faults2x2
\* override: SentOnce <- Without
\* why: A put is sent twice, the first answer is lost, and the second is not in the log either when its server dies. A reader finds
\*   nothing. The first copy arrives late, the leader is back, and the transaction commits below the reader's snapshot.
EXTENDS MCFragola

Without(t) == TRUE
====
