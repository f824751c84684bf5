---- MODULE BelievesWriters ----
\* removes: WritersBound
\* dies: ClockBelowLimit
\* model: Lies2
\* override: WritersBound <- Without
\* why: A writer who lies takes the server's clock above all that is durable: what is written there is invisible to
\*   everybody's transactions, and no new manager mends it.
EXTENDS MCClockBound

Without(told) == MaxTs + 1
====
