---- MODULE LiftsToLimit ----
\* removes: CanBeGiven
\* dies: SerialLegal
\* model: SerialForged1x1
\* override: CanBeGiven <- Without
\* why: The status oracle's durable limit lies above what it has given. A stranger reads between the two, a native put
\*   is stamped there, and whoever reads it commits before it: he has read what is not written yet.
EXTENDS MCMediator

\* The limit is one timestamp further on.
Without(ts) == ts < clock + 2 * Delta
====
