---------------------------- MODULE APOmidTwoPhase ----------------------------
(* Of Omid 2PC, by induction: the types, and that a key has one intent at most, on top of what is committed, with all faults     *)
(* and collections. Three transactions, a key, timestamps of any size.                                                           *)
EXTENDS OmidTwoPhase

ConstInit ==
    /\ Txn = {"t1_OF_TXN", "t2_OF_TXN", "t3_OF_TXN"}
    /\ Key = {"k1_OF_KEY"}
    /\ NoTxn = "none_OF_TXN"
    /\ NoKey = "none_OF_KEY"
    /\ Contents = {"value", "tombstone"}

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

\* A read in progress has a key, and the writer of a record that it met.
Reading == \A t \in Txn : cursor[t].step # "none" => cursor[t].key \in Key /\ cursor[t].met \in Txn

\* Timestamps were given, the commit timestamp after the last write.
Given ==
    \A t \in Txn :
        /\ readTs[t] <= clock /\ commitTs[t] <= clock
        /\ status[t] = "idle" => readTs[t] = NoTs
        /\ status[t] \in {"idle", "active"} => commitTs[t] = NoTs

\* A commit cell and a commit-table entry hold their transaction's commit timestamp.
Copied ==
    \A t \in Txn :
        /\ commitTable[t] \in {NoTs, LL!Invalidated, commitTs[t]}
        /\ \A k \in Key : commitCell[k][t] \in {NoTs, commitTs[t]}

Inductive == TypeOK /\ Reading /\ Given /\ Copied /\ OneIntent

Assumed == Anything /\ Inductive
=============================================================================
