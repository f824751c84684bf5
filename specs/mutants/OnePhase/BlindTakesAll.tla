---- MODULE BlindTakesAll ----
\* removes: LastCommitAfterBlind
\* dies: AbortsHaveReason
\* model: Blind2x2
\* override: LastCommitAfterBlind <- All
\* why: The TM remembers a blind transaction for every key: whoever began before it and writes something else is aborted for nothing.
EXTENDS MCOnePhase

All(keys) == [k \in Key |-> NextTs]
====
