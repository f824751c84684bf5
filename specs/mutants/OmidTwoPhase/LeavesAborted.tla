---- MODULE LeavesAborted ----
\* removes: RecordsAfterRemoval
\* dies: IntentsResolve
\* model: Progress2x1
\* override: RecordsAfterRemoval <- Without
\* why: A client dies with an intent. Whoever wants to write the key takes the right to commit from it, leaves
\*   the intent where it is, and meets it again when it tries again, until the collector comes by.
EXTENDS MCProgress

Without(k, w) == stored[k]
====
