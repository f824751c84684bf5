---- MODULE EvictsWithoutTsMin ----
\* removes: TsMinAfterEviction
\* dies: DisjointWrites
\* model: Update2x1
\* override: TsMinAfterEviction <- Without
\* override: MayConflict <- Natives
\* why: The ring has forgotten a transaction that is later than the start of another, and the servers are asked
\*   for native puts only, as section 4.4 has it.
EXTENDS MCMediator

Without(t) == tsMin
Natives(o) == o \in Native
====
