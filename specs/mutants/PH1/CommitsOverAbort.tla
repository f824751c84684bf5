---- MODULE CommitsOverAbort ----
\* removes: MayAppend
\* dies: Snapshot
\* model: Faults2x1
\* override: MayAppend <- Without
\* why: A slow instance appends its record over the one that aborted it. The horizon has passed: its values appear in
\*   snapshots that were read.
EXTENDS MCPH1

Without(t) == log[t] # "commit"
====
