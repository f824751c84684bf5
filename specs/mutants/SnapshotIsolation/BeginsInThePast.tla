---- MODULE BeginsInThePast ----
\* removes: ComesAfter
\* dies: StrongSI
\* model: Two2x1
\* override: ComesAfter <- Without
\* why: A user reports "saved", and his colleague who begins after that does not find it.
EXTENDS MCSnapshotIsolation

Without(t, ts) == TRUE
====
