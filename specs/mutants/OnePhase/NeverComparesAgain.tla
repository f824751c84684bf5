---- MODULE NeverComparesAgain ----
\* removes: ComparedUpTo
\* dies: FirstCommitterWins
\* model: Blind2x1
\* override: ComparedUpTo <- Without
\* why: Between a transaction's two certifications another one has written the key and committed. Its update is lost.
EXTENDS MCOnePhase

Without(t) == IF commitTs[t] = NoTs THEN readTs[t] ELSE clock
====
