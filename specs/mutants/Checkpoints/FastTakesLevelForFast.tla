---- MODULE FastTakesLevelForFast ----
\* removes: FastSaysFast
\* dies: NoDirtyRead
\* model: Fast1x1
\* override: FastSaysFast <- Without
\* why: The same in the fast path: it reads what will never be committed.
EXTENDS MCCheckpoints

Without(v) == v % Span # 0
====
