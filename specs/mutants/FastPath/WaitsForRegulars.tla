---- MODULE WaitsForRegulars ----
\* removes: NeedsTime
\* dies: FastPathOpens
\* model: Progress1x1
\* override: NeedsTime <- Without
\* why: A server whose sequence is exhausted and that does not ask the transaction manager draws no version
\*   until a regular transaction comes by, which may be never.
EXTENDS MCFastProgress

Without(k) == ~KnowsTheTime(k)
====
