---- MODULE StartsAtZero ----
\* removes: FirstClock
\* dies: UniqueTimestamps
\* model: Failover2x2
\* override: FirstClock <- Without
\* why: A new TM that does not start from maxTS gives the timestamps of its predecessor again.
EXTENDS MCTMFailover

Without == 0
====
