---- MODULE StampsWithoutEnd ----
\* removes: RoomLeft
\* dies: SnapshotItemOrder
\* model: Stamps1x1
\* override: RoomLeft <- Without
\* why: More native puts than fit in Delta are stamped between two fences: the last one is lost in the future,
\*   and the transaction that its process begins next does not see it.
EXTENDS MCMediator

Without(s) == TRUE
====
