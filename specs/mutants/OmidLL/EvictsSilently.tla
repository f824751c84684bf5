---- MODULE EvictsSilently ----
\* removes: LowWatermarkAfterEviction
\* dies: FirstCommitterWins
\* model: Faults2x2
\* override: LowWatermarkAfterEviction <- Without
\* why: An eviction that does not raise the low watermark forgets a conflict for good.
EXTENDS MCOmidLL

Without(k) == lowWatermark
====
