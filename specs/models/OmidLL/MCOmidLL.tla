------------------------------- MODULE MCOmidLL -------------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of OmidLL.      *)
EXTENDS OmidLLInv, Sequences, TLC

\* How many faults a behaviour may have.
CONSTANT MaxFaults
FewFaults == faults < MaxFaults

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models of all behaviours with so many faults, in which the watermark goes up once. What a guard forbids costs less than what
\* a constraint does: TLC generates such a step and checks the state that it leads to.
NeverRaised == watermark = 0
Once == watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

\* The same without readers whose time is up.
OnceInTime == Once /\ \A t \in Txn : status[t] = "active" => watermark' <= readTs[t]

\* As Once, with the watermark going up as often as it may.
Often == watermark' # watermark => RaisedAsFarAsPossible

Symmetry == Permutations(Txn) \cup Permutations(Key)

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite and of actions.             *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* A transaction has at most two operations.
FewOperations(t) == Cardinality(reads[t]) + Cardinality(writes[t]) < 2
ReadFew(t, k) == ReadOnce(t, k) /\ FewOperations(t)
WriteFew(t, k, content) == FewOperations(t)

\* Roles: one transaction writes, one writes or deletes, one reads.
CONSTANTS Writer, Deleter, Reader
ReaderReads(t, k) == t = Reader /\ ReadOnce(t, k)
WritersWrite(t, k, content) == t = Deleter \/ (t = Writer /\ content = "value")
DeleterDeletes(t, k, content) == (t = Deleter /\ content = "tombstone") \/ (t = Writer /\ content = "value")
WriterWrites(t, k, content) == t = Writer
\* One key is the writer's, the other that of the others.
Apart(t, k, content) == t = Writer <=> k = CHOOSE x \in Key : TRUE

\* Only the writer's puts are late.
WriterDelays == \A put \in latePuts' : put[2] = Writer

\* The writer begins first: without symmetry, which a state graph cannot have, half of the states.
WriterFirst == (\E t \in Txn : status[t] # "idle") => status[Writer] # "idle"

\* Any number of collectors: somebody may always still examine what one has examined.
Always == TRUE
ByOthers(t, k) == inspected

\* What the code's collector waits for, in place of AllHealed, NoPutInFlight and HidesNothing: a pass settles all leftovers
\* below the watermark before it collects anything else, and a tombstone must be committed below it.
NothingLeftOver == \A k \in Key : \A t \in stored[k] : IsBelowWatermark(t) => commitCell[k][t] # NoTs
AllSettled(t) == NothingLeftOver
SettledAndNoPutInFlight(t, k) == NothingLeftOver /\ <<k, t>> \notin latePuts
SettledAndHidesNothing(t, k) ==
    /\ NothingLeftOver
    /\ commitCell[k][t] # NoTs /\ commitCell[k][t] < watermark
    /\ \A w \in stored[k] : readTs[t] <= readTs[w]

\* What the baseline keeps, and Omid LL gives up: see OmidBaseline. When it fails, a long transaction that is read while it is under
\* way never comes to its end.
NoReaderAborts == \A t \in Txn : commitTable[t] # Invalidated

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..24 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "PendingInvalidated",
               \E t \in Txn : commitTable[t] = Invalidated /\ status[t] = "active")
    /\ Witness(2, "FalseInvalidation",
               \E t \in committed : commitTable[t] = Invalidated)
    /\ Witness(3, "FalseInvalidationRepaired",
               \E t \in Txn : cursor[t].step = "repair" /\ commitTable[cursor[t].met] = Invalidated)
    /\ Witness(4, "ConflictAbort",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs)
    /\ Witness(5, "LowWatermarkAbort",
               faults = 1 /\ lowWatermark # NoTs
               /\ \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ NoConflict(t))
    /\ Witness(6, "InvalidatedWriterAborts",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ commitTable[t] = Invalidated)
    /\ Witness(7, "CommittedWithPutInFlight",
               \E p \in latePuts : p[2] \in committed)
    /\ Witness(8, "OrphanPut",
               \E t \in Txn, k \in Key : t \in stored[k] /\ status[t] = "aborted" /\ k \notin todo[t])
    /\ Witness(9, "DeadInPostCommit",
               \E t \in committed : status[t] = "closed" /\ commitTable[t] # NoTs
                                    /\ \E k \in writes[t] : commitCell[k][t] = NoTs)
    /\ Witness(10, "CommittedByLateWrite",
               \E t \in committed : status[t] = "unknown")
    /\ Witness(11, "CommittedAfterDeath",
               \E t \in committed : status[t] = "dead")
    /\ Witness(12, "UnknownFoundCommitted",
               \E t \in committed : status[t] = "committed" /\ faults = 1 /\ commitTable[t] # NoTs /\ t \in lateEntries)
    /\ Witness(13, "Unresolved",
               \E t \in Txn : status[t] = "unresolved")
    /\ Witness(14, "RefusedBelowWatermark",
               \E t \in Txn : status[t] = "certified" /\ readTs[t] < watermark)
    /\ Witness(15, "LeftoverHealed",
               \E t \in committed : status[t] \in {"closed", "dead"} /\ commitTable[t] # NoTs
                                    /\ \A k \in writes[t] : commitCell[k][t] # NoTs)
    /\ Witness(16, "HeadlessCommitCell",
               \E t \in Txn, k \in Key : t \notin stored[k] /\ commitCell[k][t] # NoTs)
    /\ Witness(17, "VersionCollected",
               \E t \in committed, k \in Key : k \in writes[t] /\ t \notin stored[k])
    /\ Witness(18, "TombstoneCollected",
               \E t \in committed, k \in Key : k \in deletes[t] /\ t \notin stored[k])
    /\ Witness(19, "TombstoneRead",
               \E t \in Txn : \E r \in reads[t] : r.from = NoTxn
                   /\ \E w \in committed : r.key \in deletes[w] /\ commitTs[w] < readTs[t])
    /\ Witness(20, "LiveReaderHoldsWatermark",
               \E t \in Txn : status[t] = "active" /\ watermark = readTs[t] /\ clock > readTs[t])
    /\ Witness(21, "ReaderOvertaken",
               \E t \in Txn : status[t] = "active" /\ cursor[t].step = "record" /\ ~InTime(t))
    /\ Witness(22, "EvictedEarlierLast",
               \E t \in Txn : faults = 2 /\ commitTs[t] # NoTs /\ commitTs[t] < lowWatermark /\ \A k \in Key : lastCommit[k] = NoTs)
    /\ Witness(23, "ExaminedAndHealed",
               Cardinality(inspected) > 1 /\ \E x \in inspected : commitCell[x[1]][x[2]] # NoTs)
    /\ Witness(24, "PendingPassed",
               \E t \in Txn : cursor[t].step = "record" /\ status[cursor[t].met] = "active" /\ commitTable[cursor[t].met] = NoTs /\ watermark = 0)
===============================================================================
