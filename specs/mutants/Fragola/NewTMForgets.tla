---- MODULE NewTMForgets ----
\* removes: LowWatermarkOfNewTM
\* dies: FirstCommitterWins
\* model: Failover2x2
\* override: LowWatermarkOfNewTM <- Without
\* why: A new transaction manager that does not refuse those who began before it certifies a transaction
\*   against an empty conflict table.
EXTENDS MCFragola

Without == lowWatermark
====
