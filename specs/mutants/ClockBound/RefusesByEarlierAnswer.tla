---- MODULE RefusesByEarlierAnswer ----
\* removes: MayRefuse
\* dies: NobodyRefused
\* model: Bound2
\* override: MayRefuse <- Without
\* why: A question is under way, and a transaction begins and reads. The answer is older than its snapshot: an honest user
\*   is refused, on a busy server again and again.
EXTENDS MCClockBound

Without(r) == TRUE
====
