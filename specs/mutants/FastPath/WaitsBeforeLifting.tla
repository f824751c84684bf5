---- MODULE WaitsBeforeLifting ----
\* removes: BumpClock
\* dies: Snapshot
\* model: Plain1x2
\* override: BumpClock <- Without
\* override: AwaitFastWrites <- LiftsAfterwards
\* why: A read that first waits for fast-path writes in flight and then lifts the clock misses those that
\*   draw their version in between: it has to lift first.
EXTENDS MCFastPath

Without(t, k) ==
    /\ Ready(t) /\ MayRead(t, k) /\ ~LL!IsOwnWrite(t, k)
    /\ OlderFastWritesStored(t, k)
    /\ gate' = [gate EXCEPT ![t] = [step |-> "bumped", key |-> k]]
    /\ UNCHANGED <<regular, servers, fast>>

LiftsAfterwards(t, k) ==
    /\ gate[t] = [step |-> "bumped", key |-> k]
    /\ Bump(k, readTs[t])
    /\ gate' = [gate EXCEPT ![t].step = "admitted"]
    /\ UNCHANGED <<regular, host, bootstrapped, fast>>
====
