---- MODULE DatabaseRemembers ----
\* removes: TsMinAfterEviction
\* model: Update2x1
\* override: TsMinAfterEviction <- Without
\* survives: With Alg. 3 to the letter ts_min is redundant: only complete entries are deleted, their versions are in
\*   the database, and txCheckConflict looks at all versions, not at native ones alone. We keep ts_min: with
\*   it, the check of native puts is enough.
EXTENDS MCMediator

Without(t) == tsMin
====
