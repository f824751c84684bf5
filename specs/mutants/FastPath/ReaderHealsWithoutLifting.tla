---- MODULE ReaderHealsWithoutLifting ----
\* removes: HealingLifts
\* dies: SameKeyOrder
\* model: Update2x1
\* override: HealingLifts <- Without
\* why: A reader with an older snapshot writes the commit cell and removes by that what kept fast-path
\*   writes off the key, but the clock is still below the commit timestamp. The paper lifts the clock in
\*   post-commit only.
EXTENDS MCFastPath

Without(ts) == NoTs
====
