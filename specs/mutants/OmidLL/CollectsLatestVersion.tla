---- MODULE CollectsLatestVersion ----
\* removes: IsSuperseded
\* dies: Snapshot
\* model: Collect2x1
\* override: IsSuperseded <- Without
\* why: A version below the watermark may be the latest there is: collected without a newer committed one,
\*   the key loses its value.
EXTENDS MCOmidLL

Without(t, k) == readTs[t] < watermark
====
