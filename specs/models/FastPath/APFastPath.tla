------------------------------ MODULE APFastPath ------------------------------
(* Of the fast path, by induction: the types; that no server's clock passes the timestamp that comes next, whoever makes up      *)
(* snapshots and whatever fails; and that versions tell who drew them. Two regular transactions and a fast one, a key, two       *)
(* servers, timestamps of any size.                                                                                              *)
EXTENDS FastPath

ConstInit ==
    /\ Txn = {"t1_OF_TXN", "t2_OF_TXN", "f1_OF_TXN"}
    /\ Fast = {"f1_OF_TXN"}
    /\ Key = {"k1_OF_KEY"}
    /\ NoTxn = "none_OF_TXN"
    /\ NoKey = "none_OF_KEY"
    /\ Contents = {"value", "tombstone"}
    /\ Server = {"s1_OF_SERVER", "s2_OF_SERVER"}
    /\ FirstHost = [k \in Key |-> "s1_OF_SERVER"]
    /\ Span = 4

\* The variables that have no value by TypeOK alone: it compares them with others.
Anything ==
    /\ deletes \in [Txn -> SUBSET Key]
    /\ unanswered \in [Txn -> SUBSET Key]
    /\ todo \in [Txn -> SUBSET Key]
    /\ commitTable \in [Txn -> Int]
    /\ \E f \in [(Key \X Txn) -> Nat] : commitCell = [k \in Key |-> [t \in Txn |-> f[<<k, t>>]]]
    /\ inspected \in SUBSET (Key \X Txn)
    /\ latePuts \in SUBSET (Key \X Txn)
    /\ lateEntries \in SUBSET Txn
    /\ committed \in SUBSET Txn
    /\ reads \in [Txn -> SUBSET [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]]
    /\ bootstrapped \in SUBSET Key
    /\ \E f \in [Fast -> [step : {"none", "between", "drawn", "lost"}, key : Key \cup {NoKey}]], last \in [Fast -> Nat] :
        fast = [x \in Fast |-> [step |-> f[x].step, key |-> f[x].key, last |-> last[x]]]

\* A read in progress has a key, and the writer of a record that it met; a fast-path transaction that has read has a key.
Reading ==
    /\ \A t \in Txn : cursor[t].step # "none" => cursor[t].key \in Key /\ cursor[t].met \in Txn
    /\ \A f \in Fast : fast[f].step # "none" => fast[f].key \in Key

\* Fast-path transactions do not do what regular ones do.
Apart == \A f \in Fast : status[f] \in {"idle", "closed", "aborted", "unresolved"}

\* Nothing has reached the TM's next timestamp.
Bounded ==
    /\ clock % Span = 0
    /\ ClockBounded
    /\ \A t \in Txn : readTs[t] < NextTs /\ commitTs[t] < NextTs /\ commitTable[t] < NextTs

Inductive == TypeOK /\ Reading /\ Apart /\ Bounded /\ VersionsTell

Assumed == Anything /\ Inductive
=============================================================================
