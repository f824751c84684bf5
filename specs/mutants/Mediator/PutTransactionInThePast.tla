---- MODULE PutTransactionInThePast ----
\* removes: PutFence
\* dies: SerialTransactionOrder
\* model: SerialOrder2x2
\* override: PutFence <- Without
\* why: A put transaction commits as a native put on a server that nobody has fenced: it is before the
\*   transaction that its process has committed before.
EXTENDS MCMediator

Without(t) == 0
====
