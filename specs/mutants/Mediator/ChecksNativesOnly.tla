---- MODULE ChecksNativesOnly ----
\* removes: MayConflict
\* dies: SerialLegal
\* model: SerialRing2x1
\* override: MayConflict <- Natives
\* why: Under serializability a transaction may begin after another one has committed, and read before that one is written back.
\*   The ring may forget it then: ts_min does not pass the reader's start. A check of native puts, as section 4.4 has it, does not
\*   find it either.
EXTENDS MCMediator

Natives(o) == o \in Native
====
