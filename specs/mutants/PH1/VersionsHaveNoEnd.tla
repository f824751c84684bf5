---- MODULE VersionsHaveNoEnd ----
\* removes: Covers
\* dies: Snapshot
\* model: Versions3x1
\* override: Covers <- Without
\* why: The paper's rule: the latest version below the snapshot. A later one is missing here, and the reader gets a
\*   value that was overwritten before it began.
EXTENDS MCPH1

Without(v, ts) == v.from < ts
====
