---- MODULE CollectsUnderPending ----
\* removes: IsSuperseded
\* dies: Snapshot
\* model: Collect3x1
\* override: IsSuperseded <- Without
\* why: A newer version without commit cell may be aborted: it hides nothing.
EXTENDS MCOmidLL

Without(t, k) == \E w \in stored[k] : readTs[t] < readTs[w] /\ readTs[w] < watermark
====
