---- MODULE FilterForgets ----
\* removes: FiltersFor
\* dies: SnapshotLegal
\* model: Update2x1
\* override: FiltersFor <- Without
\* why: A filter that misses a key lets a reader overlook the transaction. (One with too many keys only aborts
\*   more: FalseConflict.)
EXTENDS MCMediator

Without(keys) == {{}}
====
