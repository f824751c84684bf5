---- MODULE KeepsWatermark ----
\* removes: FirstLowWatermark
\* dies: FirstCommitterWins
\* model: Hands2x2
\* override: FirstLowWatermark <- Without
\* why: A new primary whose first swap was refused reads maxTS again and keeps its low watermark. The last primary had two
\*   requests in hand when its lease ran out, and let one transaction begin and the other commit in between. The new one lets the
\*   first commit over the second.
EXTENDS MCTMFailover

Without(i) == IF lowWatermark[i] > 0 THEN lowWatermark[i] ELSE maxTs
====
