---- MODULE IncrementsKeysVersion ----
\* removes: NextVersion
\* dies: Snapshot
\* model: Plain1x2
\* override: NextVersion <- Without
\* why: The text of section 4.2 reads the key's latest committed version and increments it. Such a version
\*   may lie below the snapshot of a transaction that has read the key.
EXTENDS MCFastPath

Without(k) == LastCommitted(k) + 1
====
