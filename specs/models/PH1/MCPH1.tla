--------------------------------- MODULE MCPH1 ---------------------------------
(* Bounds, roles and witnesses for the models of PH1.                          *)
EXTENDS PH1, Sequences, TLC

CONSTANTS
    t1, t2, t3, n1, n2, n3, k1,
    \* How many faults a behaviour may have.
    MaxFaults,
    \* Who writes, and who reads each key once.
    Writer, Reader

\* For models of all behaviours with so many faults.
FewFaults == faults < MaxFaults

ReadersRead(t, k) == t \in Reader /\ \A r \in reads[t] : r.key # k
WritersWrite(t, k, content) == t \in Writer

\* Where transactions run, and in which sessions they are.
AllAtN1 == [t \in Txn |-> n1]
Spread == [t \in Txn |-> IF t = t1 THEN n1 ELSE n2]
Own == [t \in Txn |-> t]
Pairs == [t \in Txn |-> IF t = t3 THEN t2 ELSE t]
\* Each of them has its own key, by which a flush may be overtaken.
OwnKeys(t, k, content) == t \in Writer /\ (t = t1 <=> k = k1)

\* One after the other writes and deletes a key; the reader comes in between.
ValueThenTombstone(t, k, content) == <<t, content>> \in {<<t1, "value">>, <<t3, "tombstone">>}
InTurn == \A t \in Txn \ {t1} : status[t] = "idle" /\ status'[t] = "active" => status[t1] = "committed"
Hurried == InTurn /\ (faults' # faults => status[t2] = "active") /\ (status'[t3] = "certified" => status[t2] = "active")

\* The reader is older than both writers, who come one after the other.
EldestReads ==
    \A t \in Txn : status[t] = "idle" /\ status'[t] = "active" =>
        /\ t # t3 => status[t3] = "active"
        /\ t = t2 => status[t1] = "committed"

\* The reader's instance is cut off, and then the others fail.
LosesOthers == Hurried /\ (view' # view => Home[t2] = n2 /\ view'[n2] # {} /\ (view[n2] = Node => view'[n2] = {n2}))

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..12 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

\* Somebody reads a version while its key holds a later one.
ReadOld(t) == \E r \in reads[t] : ~r.own /\ TsOf(stored[r.key]) >= readTs[t]

Witnesses ==
    /\ Witness(1, "HorizonStands", \E t \in Txn : status[t] = "active" /\ \E w \in flushing : commitTs[w] = readTs[t])
    /\ Witness(2, "ReadsOldVersion", \E t \in Txn : ReadOld(t))
    /\ Witness(3, "ConflictAbort", faults = 0 /\ \E t \in Txn : status[t] = "aborted")
    /\ Witness(4, "TooOld", \E t \in Txn : status[t] = "tooOld")
    /\ Witness(5, "RedoneAfterDeath", \E t \in Txn : status[t] = "dead" /\ log[t] = "commit" /\ t \notin flushing)
    /\ Witness(6, "AbortedAfterDeath", \E t \in Txn : status[t] = "dead" /\ log[t] = "abort" /\ t \notin flushing)
    /\ Witness(7, "FoundAborted", \E t \in Txn : status[t] = "aborted" /\ log[t] = "abort")
    /\ Witness(8, "LatePutIgnored",
               \E k \in Key, t \in Txn : <<k, t>> \in latePuts /\ TsOf(stored[k]) > commitTs[t])
    /\ Witness(9, "TombstoneCollected",
               \E t \in Txn : status[t] = "committed" /\ \E k \in deletes[t] : stored[k] = NoTxn)
    /\ Witness(10, "WaitsForSession", \E t \in Txn : status[t] = "idle" /\ ~SeesSession(t))
    /\ Witness(11, "SavedBySome",
               \E t \in flushing, k \in Key : saved[t] # {} /\ k \in todo[t] /\ ~SavedEverywhere(t, k))
    /\ Witness(12, "ReadInSmallerView",
               \E t \in Txn : ReadOld(t) /\ view[Home[t]] # Node)
===============================================================================
