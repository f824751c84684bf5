---- MODULE LiftsToLimit ----
\* removes: CanBeGiven
\* dies: FastBeforeRegular
\* model: Forged1x1
\* override: CanBeGiven <- Without
\* why: The transaction manager's durable limit lies above what it has given. A stranger reads in a snapshot between the two,
\*   and fast-path writes are invisible until the transaction manager comes to it.
EXTENDS MCFastPath

\* The limit is one timestamp further on.
Without(ts) == ts < NextTs + Span
====
