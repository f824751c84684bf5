------------------------------ MODULE APMediator ------------------------------
(* Of Mediator, under both isolations, by induction: the types; that no stamp reaches the timestamp that comes next, whoever     *)
(* makes up fences and whatever fails; that the ring tells what is in the log; and that clients are told what happened. Two      *)
(* transactions and a native operation, two keys on two servers, timestamps of any size.                                         *)
EXTENDS Mediator

ConstInit ==
    /\ Txn = {"t1_OF_TXN", "t2_OF_TXN"}
    /\ Native = {"n1_OF_TXN"}
    /\ Key = {"k1_OF_KEY", "k2_OF_KEY"}
    /\ NoTxn = "none_OF_TXN"
    /\ Server = {"s1_OF_SERVER", "s2_OF_SERVER"}
    /\ Host = [k \in Key |-> IF k = "k1_OF_KEY" THEN "s1_OF_SERVER" ELSE "s2_OF_SERVER"]
    /\ Process = [o \in Txn \cup Native |-> IF o = "t1_OF_TXN" THEN "p1_OF_PROCESS" ELSE "p2_OF_PROCESS"]
    /\ Delta = 4
    /\ Serializable \in BOOLEAN

\* The variables that have no value by TypeOK alone: it compares them with others.
Anything ==
    /\ status \in [Op -> {"idle", "active", "certified", "unknown", "committed", "stamped", "closed", "aborted", "dead", "lost"}]
    /\ reads \in [Op -> SUBSET [key : Key, from : Op \cup {NoTxn}, own : {FALSE}]]
    /\ lateRecords \in SUBSET Txn
    /\ synced \in SUBSET Server
    /\ \E f \in [(Key \X Op) -> Nat] : version = [k \in Key |-> [o \in Op |-> f[<<k, o>>]]]

\* Nothing has reached the TSO's next timestamp; its own are multiples of Delta.
Bounded ==
    /\ ClockBounded
    /\ \A o \in Op : commitTs[o] < clock + Delta
    /\ \A t \in Txn : readTs[t] <= clock /\ readTs[t] % Delta = 0

\* Before its commit request a transaction is not in the ring, and before its check is done not in the log.
InTurn ==
    \A t \in Txn :
        /\ status[t] \in {"idle", "active", "stamped"} => ring[t] = "none"
        /\ status[t] \in {"idle", "active", "certified", "stamped"} => log[t] # "commit" /\ t \notin lateRecords
        /\ status[t] = "aborted" /\ t \in lateRecords => log[t] = "abort"
        /\ ring[t] = "aborted" => log[t] = "abort" \/ status[t] = "aborted"
        /\ status[t] = "committed" => log[t] = "commit"
        /\ status[t] = "idle" => writes[t] = {} /\ reads[t] = {}

\* A transaction that is stamped as a native put is one put.
Stamped == \A t \in Txn : status[t] = "stamped" => IsPutTransaction(t)

Inductive == TypeOK /\ Bounded /\ InTurn /\ Stamped /\ RingTrue /\ AnswersTrue

Assumed == Anything /\ Inductive
=============================================================================
