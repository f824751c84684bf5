---- MODULE TimeWithoutIncrement ----
\* removes: TimeFor
\* dies: NoTies
\* model: Servers1x1
\* override: TimeFor <- Without
\* why: The server gets the last timestamp, beyond which stamps were drawn before the crash.
EXTENDS MCMediator

Without(s) == clock
====
