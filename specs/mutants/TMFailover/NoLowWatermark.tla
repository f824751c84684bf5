---- MODULE NoLowWatermark ----
\* removes: FirstLowWatermark
\* dies: FirstCommitterWins
\* model: Failover2x2
\* override: FirstLowWatermark <- Without
\* why: A transaction that began under the old TM asks the new one to commit. What others committed in
\*   between is not in the new TM's table, so their update is lost.
EXTENDS MCTMFailover

Without(i) == NoTs
====
