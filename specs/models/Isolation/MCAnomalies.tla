------------------------------ MODULE MCAnomalies ------------------------------
(* Each known anomaly is judged by all three formulations as the literature    *)
(* judges it. w, r: who writes and reads what; before: real-time order.        *)
EXTENDS MCIsolation

CONSTANTS t1, t2, t3, k1, k2

F(a, b, c) == (t1 :> a) @@ (t2 :> b) @@ (t3 :> c)
R(k, f) == [key |-> k, from |-> f, own |-> FALSE]
Sample(done, w, r, before) ==
    [done |-> done, writes |-> w, deletes |-> None, reads |-> r, precedes |-> before,
     readTs |-> NoTimes, commitTs |-> NoTimes]
Allowed(x) == SomeTimestamps(x) /\ SomeReadStates(x) /\ SomeVersionOrder(x)
Forbidden(x) == ~SomeTimestamps(x) /\ ~SomeReadStates(x) /\ ~SomeVersionOrder(x)

LostUpdate ==
    Sample({t1, t2}, F({k1}, {k1}, {}), F({R(k1, NoTxn)}, {R(k1, NoTxn)}, {}), None)
WriteSkew ==
    Sample({t1, t2}, F({k1}, {k2}, {}), F({R(k2, NoTxn)}, {R(k1, NoTxn)}, {}), None)
ReadSkew ==
    Sample({t1, t2}, F({k1, k2}, {}, {}), F({}, {R(k1, NoTxn), R(k2, t1)}, {}), None)
AbortedRead ==
    Sample({t2}, F({k1}, {}, {}), F({}, {R(k1, t1)}, {}), None)
CircularFlow ==
    Sample({t1, t2}, F({k1}, {k2}, {}), F({R(k2, t2)}, {R(k1, t1)}, {}), None)
StaleRead ==
    Sample({t1, t2}, F({k1}, {}, {}), F({}, {R(k1, NoTxn)}, {}), F({}, {t1}, {}))
OldSnapshot ==
    Sample({t1, t2}, F({k1}, {}, {}), F({}, {R(k1, NoTxn)}, {}), None)
ReadOnlyAnomaly ==
    Sample({t1, t2, t3}, F({k1}, {k2}, {}), F({R(k2, NoTxn)}, {R(k1, NoTxn)}, {R(k1, NoTxn), R(k2, t2)}), None)

ASSUME Forbidden(LostUpdate)
ASSUME Forbidden(ReadSkew)
ASSUME Forbidden(AbortedRead)
ASSUME Forbidden(CircularFlow)
ASSUME Forbidden(StaleRead)
ASSUME Allowed(WriteSkew)
ASSUME Allowed(OldSnapshot)
ASSUME Allowed(ReadOnlyAnomaly)
=============================================================================
