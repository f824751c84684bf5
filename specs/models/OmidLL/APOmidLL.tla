------------------------------- MODULE APOmidLL -------------------------------
(* Of Omid LL, by induction: the types, and that of two overlapping writers of a key one gets no commit timestamp, with all      *)
(* faults, evictions and collections. Three transactions, two keys, timestamps of any size.                                      *)
EXTENDS OmidLL

ConstInit ==
    /\ Txn = {"t1_OF_TXN", "t2_OF_TXN", "t3_OF_TXN"}
    /\ Key = {"k1_OF_KEY", "k2_OF_KEY"}
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

\* Timestamps were given, and a transaction gets its commit timestamp when it has its read timestamp and all its writes.
Given ==
    /\ \A t \in Txn :
        /\ readTs[t] <= clock /\ commitTs[t] <= clock
        /\ status[t] = "idle" => readTs[t] = NoTs
        /\ status[t] \in {"idle", "active"} => commitTs[t] = NoTs
        /\ status[t] \in {"certified", "unknown"} \/ t \in lateEntries \/ t \in committed => commitTs[t] # NoTs
    /\ \A k \in Key : lastCommit[k] <= clock
    /\ lowWatermark <= clock

\* What the conflict table has forgotten is below the low watermark.
Remembered ==
    \A t \in Txn : \A k \in writes[t] : commitTs[t] <= lastCommit[k] \/ commitTs[t] <= lowWatermark

\* Of two who hold a commit timestamp, and not only of those who have committed.
NoOverlap ==
    \A a \in Txn, b \in Txn :
        a # b /\ commitTs[a] # NoTs /\ commitTs[b] # NoTs /\ writes[a] \cap writes[b] # {} =>
            commitTs[a] < readTs[b] \/ commitTs[b] < readTs[a]

Inductive == TypeOK /\ Reading /\ Given /\ Remembered /\ NoOverlap /\ FirstCommitterWins

Assumed == Anything /\ Inductive
=============================================================================
