---- MODULE CollectsUnderLaterCommit ----
\* removes: IsSuperseded
\* dies: Snapshot
\* model: Collect3x1
\* override: IsSuperseded <- Without
\* why: A newer version hides an old one only from readers who begin after its commit. If the newer commit
\*   lies above the watermark, a live reader still needs the old version.
EXTENDS MCOmidLL

Without(t, k) == \E w \in stored[k] : readTs[t] < readTs[w] /\ commitCell[k][w] # NoTs
====
