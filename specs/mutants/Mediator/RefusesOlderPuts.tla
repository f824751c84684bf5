---- MODULE RefusesOlderPuts ----
\* removes: MayStore
\* dies: NativesNeverAbort
\* model: Social1x1
\* override: MayStore <- NoLaterFence
\* why: A server refuses a put that was stamped before a fence which has passed it since, as if it were a transaction
\*   that has lost. The user, who knows nothing of transactions, is told that his status cannot be put.
EXTENDS MCMediator

NoLaterFence(o, k) == local[Host[k]] <= commitTs[o]
====
