---- MODULE GrantUnasked ----
\* removes: Asked
\* dies: OnlyAskers
\* model: Small
\* override: Asked <- IdleToo
\* why: who did not ask does not know that it must release
EXTENDS MCToy
IdleToo(c) == phase[c] \in {"idle", "asking"}
====
