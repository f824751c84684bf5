---- MODULE ComparesWritesOnly ----
\* removes: ConflictSet
\* dies: SerialLegal
\* model: SerialSkew2x2
\* override: ConflictSet <- Without
\* why: Only the keys that a transaction writes are compared: write skew, as under snapshot isolation.
EXTENDS MCMediator

Without(t) == writes[t]
====
