---- MODULE TsMinFallsBack ----
\* removes: TsMinAfterEviction
\* dies: DisjointWrites
\* model: Ring3x1
\* override: TsMinAfterEviction <- LastEvicted
\* override: MayConflict <- Natives
\* why: Entries are not deleted in the order of their timestamps. When an earlier one goes last, ts_min falls back, and who began
\*   before the later one commits. The servers are asked for native puts only, as section 4.4 has it.
EXTENDS MCMediator

LastEvicted(t) == IF ring[t] # "aborted" THEN commitTs[t] ELSE tsMin
Natives(o) == o \in Native
====
