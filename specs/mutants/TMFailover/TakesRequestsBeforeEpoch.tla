---- MODULE TakesRequestsBeforeEpoch ----
\* removes: HasEpoch
\* dies: TimestampsFollowRealTime
\* model: Leaps2x1
\* override: HasEpoch <- Without
\* why: A TM that has the lease, but no epoch yet, takes up a request. Its first swap is refused, because a successor
\*   was faster; it reads maxTS again, swaps that, and answers the old request. Now two epochs give timestamps, and
\*   who got one from the later asks for the next one at the earlier.
EXTENDS MCTMFailover

Without(i) == TRUE
====
