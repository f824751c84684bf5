---- MODULE SwapsFromClock ----
\* removes: Expected
\* dies: RefusedForCause
\* model: Leaps2x1
\* override: Expected <- Without
\* why: The paper swaps maxTS from Clock. A clock that leaps does not stand at the end of its epoch when the
\*   epoch is used up: the swap is refused, and a primary that nobody has challenged halts, one after the
\*   other.
EXTENDS MCTMFailover

Without(i) == clock[i]
====
