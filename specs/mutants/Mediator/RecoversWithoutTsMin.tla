---- MODULE RecoversWithoutTsMin ----
\* removes: TsMinAfterRecovery
\* dies: DisjointWrites
\* model: Recovery2x1
\* override: TsMinAfterRecovery <- Without
\* override: MayConflict <- Natives
\* why: The new ring is empty, and lets a transaction commit that began before another one that the old ring
\*   had.
EXTENDS MCMediator

Without == tsMin
Natives(o) == o \in Native
====
