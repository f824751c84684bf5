---- MODULE WatermarkFallsBack ----
\* removes: LowWatermarkAfterEviction
\* dies: FirstCommitterWins
\* model: Evict3x2
\* override: LowWatermarkAfterEviction <- Without
\* why: Entries are not dropped in the order of their timestamps. When an earlier one goes last, the low watermark falls back,
\*   and who began before the later one commits over it.
EXTENDS MCOmidLL

Without(k) == lastCommit[k]
====
