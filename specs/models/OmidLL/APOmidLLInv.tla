----------------------------- MODULE APOmidLLInv ------------------------------
(* The invariant of the proof, by a second prover: for few transactions, with deletes, all faults, evictions and collections, *)
(* and timestamps of any size.                                                                                                 *)
EXTENDS OmidLLInv

Rest ==
    /\ NoTxn = "none_OF_TXN"
    /\ NoKey = "none_OF_KEY"
    /\ Contents = {"value", "tombstone"}

ConstInit2x1 == Rest /\ Txn = {"t1_OF_TXN", "t2_OF_TXN"} /\ Key = {"k1_OF_KEY"}
ConstInit2x2 == Rest /\ Txn = {"t1_OF_TXN", "t2_OF_TXN"} /\ Key = {"k1_OF_KEY", "k2_OF_KEY"}
ConstInit3x1 == Rest /\ Txn = {"t1_OF_TXN", "t2_OF_TXN", "t3_OF_TXN"} /\ Key = {"k1_OF_KEY"}

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

Assumed == Anything /\ Inductive
=============================================================================
