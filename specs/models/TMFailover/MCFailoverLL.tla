----------------------------- MODULE MCFailoverLL -----------------------------
(* OmidLL with the TMs of TMFailover in the place of its single one: what a    *)
(* client does with store and commit table comes from OmidLL, what it asks of  *)
(* the TM from TMFailover. A failover falls between any two steps of a         *)
(* transaction, in mid-commit too. Clients die, and their leftovers are        *)
(* collected, where a model lets them. One client writes and one reads: of two *)
(* that write, see Failover2x2, and FastPath/FailoverCollect2x1, where a       *)
(* failover is one step.                                                       *)
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

\* OmidLL's own TM is not used: its variables stay, and its clock is what no TM has passed.
LL == INSTANCE OmidLL WITH clock <- maxTs, lastCommit <- 0, lowWatermark <- 0

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

\* When clients ask to begin, whether they die, and whether there is a collector; models say so.
MayAsk(t) == TRUE
MayDie == FALSE
MayCollect == FALSE

\* What the clients ask of the TMs, and what the TMs do.
FailoverStep ==
    \/ /\ \/ \E i \in Tm : TmStep(i)
          \/ Time \/ Fault \/ Aftermath
          \/ \E t \in Txn : MayAsk(t) /\ AskBegin(t)
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

\* A client dies, also one that waits for an answer.
Die(t) ==
    /\ MayDie
    /\ LL!Crash(t)
    /\ waiting' = [waiting EXCEPT ![t] = "none"]
    /\ answers' = {a \in answers : a.txn # t}
    /\ UNCHANGED <<zooKeeper, tm, floor, given>>

\* The watermark goes up once, as far as those allow who are active: whoever leads does not know more.
RaiseWatermark ==
    /\ watermark = 0
    /\ LL!RaiseWatermark
    /\ \A ts \in 1..(maxTs + 1) :
        (\A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]) => ts <= watermark'

CollectStep ==
    /\ MayCollect
    /\ \/ RaiseWatermark
       \/ \E t \in Txn :
          \/ LL!CollectEntry(t)
          \/ \E k \in Key :
              LL!HealLeftover(t, k) \/ LL!InspectLeftover(t, k) \/ LL!CleanLeftover(t, k) \/ LL!CollectVersion(t, k)
    /\ UNCHANGED <<zooKeeper, tm, answers, waiting, floor, given, faults>>

FailoverLLNext ==
    \/ FailoverStep
    \/ \E t \in Txn : Die(t)
    \/ CollectStep
    \/ \E t \in Txn :
       /\ waiting[t] = "none"
       /\ UNCHANGED <<zooKeeper, tm, answers, waiting, floor, given, faults>>
       /\ DataStep(t)

FailoverLLSpec == FailoverLLInit /\ [][FailoverLLNext]_<<vars, data, todo>>

\* For the override of History: what OmidLL's transactions read counts.
FailoverLLHistory ==
    [LL!History EXCEPT !.precedes = [t \in Txn |-> IF readTs[t] = NoTs THEN {} ELSE precedes[t]]]

AnswersTrue == LL!AnswersTrue

-----------------------------------------------------------------------------
(* Restrictions, as overrides of what models say.                              *)

Collected == TRUE
OneDeath == faults = 0

\* Who reads begins when the writer's client has ended, or died.
ReaderLast(t) == t = Writer \/ status[Writer] \in {"closed", "aborted", "dead"}

\* A client asks one TM at a time, and the reader the one that took over.
OneAtATime(i, t) ==
    /\ PatientClients(i, t)
    /\ \A j \in Tm : \A r \in desk[j] : r.txn # t
    /\ t # Writer => lowWatermark[i] > 0

-----------------------------------------------------------------------------

FailoverLLWitnesses ==
    /\ Witnesses
    /\ Witness(19, "FailoverInMidCommit",
               \E t \in committed, j \in Tm : status[t] = "committed" /\ Serves(j) /\ lowWatermark[j] >= commitTs[t])
    /\ Witness(20, "OldWriterInvalidated",
               \E t \in Txn, j \in Tm : commitTable[t] = LL!Invalidated /\ lowWatermark[j] >= readTs[t])
    /\ Witness(21, "DeadHealed",
               \E t \in committed, k \in Key : faults > 0 /\ commitTable[t] = NoTs /\ commitCell[k][t] # NoTs)
    /\ Witness(22, "DeadCleaned",
               \E t \in Txn : status[t] = "dead" /\ t \notin committed /\ commitTs[t] # NoTs /\ watermark > 0 /\ \A k \in writes[t] : t \notin stored[k])
    /\ Witness(23, "RefusedAfterFailover",
               \E t \in Txn, j \in Tm : status[t] = "certified" /\ readTs[t] < watermark /\ lowWatermark[j] >= commitTs[t])
=============================================================================
