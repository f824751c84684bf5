---- MODULE BatchDuringFastWrite ----
\* removes: NoFastWriteInRows
\* dies: FirstCommitterWins
\* model: Fast1x1
\* override: NoFastWriteInRows <- Without
\* why: A fast-path write has drawn its version and is not stored yet. The batch does not see it and is stored beside it:
\*   two updates of one value.
EXTENDS MCOnePhase

Without(t) == TRUE
====
