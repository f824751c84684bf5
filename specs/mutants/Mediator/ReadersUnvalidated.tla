---- MODULE ReadersUnvalidated ----
\* removes: NeedsNoCommit
\* dies: SomeSerialization
\* model: SerialRead2x2
\* override: NeedsNoCommit <- Without
\* why: A read-only transaction reads one key before another one's write-back, and the other one after it.
EXTENDS MCMediator

Without(t) == writes[t] = {}
====
