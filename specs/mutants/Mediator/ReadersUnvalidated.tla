---- MODULE ReadersUnvalidated ----
\* removes: NeedsNoCommit
\* dies: SerialLegal
\* model: Serial2x2
\* override: NeedsNoCommit <- Without
\* properties: SerialLegal
\* why: A read-only transaction reads one key before another one's write-back, and one after it.
EXTENDS MCMediator

Without(t) == writes[t] = {}
Started(t) == readTs[t]
====
