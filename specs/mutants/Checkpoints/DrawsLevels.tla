---- MODULE DrawsLevels ----
\* removes: NextVersion
\* dies: VersionsTell
\* model: Fast1x1
\* override: NextVersion <- Without
\* why: The first version after a read is the read timestamp plus one: a fast-path write has the number of a
\*   transaction's second level, and is overwritten in its own cell.
EXTENDS MCCheckpoints

Without(v) == v + 1
====
