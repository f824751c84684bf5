---- MODULE NewManagerForgets ----
\* removes: LowWatermarkOfNewTM
\* dies: FencedNeverCommits
\* model: Failover1x1
\* override: LowWatermarkOfNewTM <- Without
\* why: The next transaction manager knows no fence. If it does not refuse everybody who began before it, somebody
\*   commits whom the fence should have kept from it.
EXTENDS MCIndexFence

Without == lowWatermark
====
