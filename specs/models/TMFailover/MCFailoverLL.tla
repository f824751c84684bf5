----------------------------- MODULE MCFailoverLL -----------------------------
(* OmidLL with the TMs of TMFailover in the place of its single one: what a    *)
(* client does with store and commit table comes from OmidLL, what it asks of  *)
(* the TM from TMFailover. A failover falls between any two steps of a         *)
(* transaction, in mid-commit too. Clients do not die here, and nothing is     *)
(* collected. One client writes and one reads: of two that write, see          *)
(* Failover2x2.                                                                 *)
EXTENDS MCTMFailover

CONSTANTS
    \* No key: what a client reads that reads nothing.
    \* @type: KEY;
    NoKey,
    \* What a write may store.
    \* @type: Set(Str);
    Contents,
    \* The transaction that writes; the others read.
    Writer

\* OmidLL's variables, other than those that TMFailover has too.
VARIABLES
    deletes,      \* Lane: client
    unanswered,   \* Lane: client
    todo,         \* Lane: client
    cursor,       \* Lane: client
    stored,       \* Lane: key
    commitCell,   \* Lane: key
    commitTable,  \* Lane: CT
    watermark,    \* Lane: CT
    inspected,    \* Lane: CT
    latePuts,     \* Lane: key
    lateEntries,  \* Lane: CT
    reads         \* Lane: client

\* OmidLL's own TM is not used: its variables are constant.
LL == INSTANCE OmidLL WITH clock <- 0, lastCommit <- 0, lowWatermark <- 0

data == <<deletes, unanswered, cursor, stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries,
          reads>>

FailoverLLInit ==
    /\ ElectedInit
    /\ deletes = [t \in Txn |-> {}]
    /\ unanswered = [t \in Txn |-> {}]
    /\ todo = [t \in Txn |-> {}]
    /\ cursor = [t \in Txn |-> LL!NoRead]
    /\ stored = [k \in Key |-> {}]
    /\ commitCell = [k \in Key |-> [t \in Txn |-> NoTs]]
    /\ commitTable = [t \in Txn |-> NoTs]
    /\ watermark = 0
    /\ inspected = {}
    /\ latePuts = {}
    /\ lateEntries = {}
    /\ reads = [t \in Txn |-> {}]

\* An aborted client has its records to clean up.
Aborting(t) == todo' = IF status'[t] = "aborted" THEN [todo EXCEPT ![t] = writes[t]] ELSE todo

\* What the clients ask of the TMs, and what the TMs do.
FailoverStep ==
    \/ /\ \/ \E i \in Tm : TmStep(i)
          \/ Time \/ Fault \/ Aftermath
          \/ \E t \in Txn : AskBegin(t)
          \/ \E t \in Txn : ReceiveBegin(t)
          \/ \E t \in Txn : LL!Ready(t) /\ writes[t] # {} /\ LL!WritesStored(t) /\ AskCommit(t, writes[t])
       /\ UNCHANGED <<data, todo>>
    \/ \E t \in Txn :
       /\ LoseCommitAnswer(t) \/ ReceiveCommit(t)
       /\ Aborting(t)
       /\ UNCHANGED data

\* What the clients do with store and commit table.
DataStep(t) ==
    \/ LL!EndReadOnly(t) \/ LL!WriteCommitEntry(t) \/ LL!RemoveCommitEntry(t)
    \/ LL!GetCommitEntry(t) \/ LL!HealCommitCell(t) \/ LL!InvalidatePending(t) \/ LL!ReReadRecord(t)
    \/ LL!RemoveFalseInvalidation(t)
    \/ \E k \in Key :
       \/ LL!PostCommit(t, k) \/ LL!CleanUp(t, k)
       \/ t = Writer /\ LL!Write(t, k, "value")
       \/ t # Writer /\ (\A r \in reads[t] : r.key # k) /\ LL!GetRecord(t, k)

FailoverLLNext ==
    \/ FailoverStep
    \/ \E t \in Txn :
       /\ waiting[t] = "none"
       /\ UNCHANGED <<zooKeeper, tm, answers, waiting, floor, given, faults>>
       /\ DataStep(t)

FailoverLLSpec == FailoverLLInit /\ [][FailoverLLNext]_<<vars, data, todo>>

\* For the override of History: what OmidLL's transactions read counts.
FailoverLLHistory ==
    [LL!History EXCEPT !.precedes = [t \in Txn |-> IF readTs[t] = NoTs THEN {} ELSE precedes[t]]]

AnswersTrue == LL!AnswersTrue

FailoverLLWitnesses ==
    /\ Witnesses
    /\ Witness(19, "FailoverInMidCommit",
               \E t \in committed, j \in Tm : status[t] = "committed" /\ Serves(j) /\ lowWatermark[j] >= commitTs[t])
    /\ Witness(20, "OldWriterInvalidated",
               \E t \in Txn, j \in Tm : commitTable[t] = LL!Invalidated /\ lowWatermark[j] >= readTs[t])
=============================================================================
