------------------------------ MODULE MCIsolation ------------------------------
(* The three formulations of Isolation.tla agree on every small history: some  *)
(* assignment of timestamps satisfies the axioms, if and only if some order of *)
(* the transactions passes the commit tests, if and only if some version order *)
(* is free of phenomena.                                                       *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Txn, Key, NoTxn,
    \* Whether histories have aborted transactions and real-time order.
    Aborts, RealTimeOrder
VARIABLE h

Of(history) == INSTANCE Isolation WITH h <- history

Symmetry == Permutations(Txn) \cup Permutations(Key)

\* All orders of begins and commits. (A set of records, which TLC enumerates once; the filter alone it would repeat.)
Assignments ==
    LET Times == [Txn -> 1..(2 * Cardinality(Txn))]
        Fits(r, c) == /\ \A t \in Txn : r[t] < c[t]
                      /\ \A t \in Txn, u \in Txn : t # u => r[t] # r[u] /\ c[t] # c[u] /\ r[t] # c[u]
    IN  {[readTs |-> a[1], commitTs |-> a[2]] : a \in {b \in Times \X Times : Fits(b[1], b[2])}}

SomeTimestamps(x) ==
    \E a \in Assignments : Of([x EXCEPT !.readTs = a.readTs, !.commitTs = a.commitTs])!ByTimestamps
SomeReadStates(x) == Of(x)!ReadStates
SomeVersionOrder(x) == Of(x)!NoPhenomena

Agree ==
    LET byTimestamps == SomeTimestamps(h)
    IN  /\ SomeReadStates(h) = byTimestamps
        /\ SomeVersionOrder(h) = byTimestamps

-----------------------------------------------------------------------------
(* All histories: Init chooses who wrote what, who committed and what real     *)
(* time ordered; each step adds a read.                                        *)
None == [t \in Txn |-> {}]
NoTimes == [t \in Txn |-> 0]

\* At most one pair of transactions is ordered by real time.
RealTimes(done) ==
    {None} \cup {[None EXCEPT ![p[2]] = {p[1]}] : p \in {q \in done \X done : q[1] # q[2]}}

Init ==
    \E w \in [Txn -> SUBSET Key], done \in {Txn} \cup (IF Aborts THEN {Txn \ {t} : t \in Txn} ELSE {}) :
    \E p \in IF RealTimeOrder THEN RealTimes(done) ELSE {None} :
        h = [done |-> done, writes |-> w, deletes |-> None, reads |-> None, precedes |-> p,
             readTs |-> NoTimes, commitTs |-> NoTimes]

AddRead(t, k) ==
    /\ t \in h.done
    /\ \A r \in h.reads[t] : r.key # k
    /\ \E f \in {NoTxn} \cup {u \in Txn \ {t} : k \in h.writes[u]} :
           h' = [h EXCEPT !.reads[t] = @ \cup {[key |-> k, from |-> f, own |-> FALSE]}]

Next == \E t \in Txn, k \in Key : AddRead(t, k)

Spec == Init /\ [][Next]_h

=============================================================================
