---- MODULE NeverAsks ----
\* removes: AskManager
\* dies: ReadsEnd
\* model: Bound2
\* override: AskManager <- Without
\* why: A server that only knows what it was told by chance lets an honest reader wait for ever.
EXTENDS MCClockBound

Without == FALSE
====
