---- MODULE TsMinUnchecked ----
\* removes: RingReachesBack
\* dies: DisjointWrites
\* model: Update2x1
\* override: RingReachesBack <- Without
\* override: MayConflict <- Natives
\* why: ts_min goes up and is not looked at: the same.
EXTENDS MCMediator

Without(t) == TRUE
Natives(o) == o \in Native
====
