---- MODULE ListsValuesOnly ----
\* removes: ListsTombstones
\* dies: AllListed
\* model: Levels2x1
\* override: ListsTombstones <- Without
\* why: Snapshot-all leaves out what the transaction has deleted, so its entries in an index are not found when it
\*   aborts.
EXTENDS MCCheckpoints

Without(r) == ~r.gone
====
