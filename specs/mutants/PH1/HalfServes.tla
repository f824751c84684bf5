---- MODULE HalfServes ----
\* removes: IsMajority
\* dies: AbortsHaveReason
\* model: Pair2x1
\* override: IsMajority <- Half
\* why: Two instances that are cut off from each other both go on: each saves old values in its own copy only, and overwrites the key for both.
EXTENDS MCPH1

Half(nodes) == 2 * Cardinality(nodes) >= Cardinality(Node)
====
