---- MODULE BelievesStrangers ----
\* removes: StrangersBound
\* dies: ClockBounded
\* model: Bound2
\* override: StrangersBound <- Without
\* why: A stranger's read takes the server's clock where he likes, and what is written there is invisible.
EXTENDS MCClockBound

Without(told) == MaxTs + 1
====
