---- MODULE NobodyResolves ----
\* removes: ResolveBatch
\* dies: CommitEnds
\* model: Progress2x1
\* override: ResolveBatch <- Without
\* why: A client whose batch was not answered never asks again, and its application waits for ever.
EXTENDS MCOnePhase

Without(t) == FALSE
====
