---- MODULE ReaderTakesLevelForFast ----
\* removes: ReaderSaysFast
\* dies: NoDirtyRead
\* model: Pair2x1
\* override: ReaderSaysFast <- Without
\* why: A version that is no timestamp of the transaction manager counts as committed. A reader sees a level of a
\*   transaction that aborts.
EXTENDS MCCheckpoints

Without(v) == v % Span # 0
====
