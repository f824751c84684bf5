---- MODULE StrangersToLimit ----
\* removes: StrangersBound
\* dies: ClockBounded
\* model: Bound2
\* override: StrangersBound <- Without
\* why: Between what was given and the durable limit nobody reads yet: a stranger takes the server's clock there, and what
\*   is written is invisible until the manager comes to it.
EXTENDS MCClockBound

Without(told) == told.limit
====
