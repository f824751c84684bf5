------------------------------ MODULE OmidLLReReadRecord ------------------------------
(***************************************************************************)
(* ReReadRecord keeps the invariant of Omid LL.                            *)
(***************************************************************************)
EXTENDS OmidLLReadOn

LEMMA ReReadRecordKeeps == \A t \in Txn : Kept /\ ReReadRecord(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, ReReadRecord(t) PROVE Kept'
  OBVIOUS
<1> USE DEF NoTs, Invalidated
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF ReReadRecord, tm, store, table, network
<1>k. CommitCellsTell /\ ReadIsOfActive /\ SecondLookTells
  BY DEF Kept, Inductive
<1> DEFINE m == cursor[t].met
           step == IF SawCommitCell(cursor[t].key, m) THEN "repair" ELSE "record"
<1>m. /\ cursor[t].step = "reread" /\ m \in Txn /\ cursor[t].key \in Key
      /\ m \in committed \/ NeverCommits(m)
      /\ m \in committed => Healed(m) /\ (status[m] = "closed" \/ (readTs[m] < watermark /\ commitTable[m] = NoTs))
  BY <1>k DEF ReReadRecord, ReadIsOfActive, SecondLookTells
<1>g. GoOn(t, cursor[t].key, m, step)
  BY DEF ReReadRecord
<1>c. /\ step \in {"record", "repair"}
      /\ step = "repair" => m \in committed
      /\ step = "record" => ~SawCommitCell(cursor[t].key, m)
  BY <1>m, <1>k DEF SawCommitCell, CommitCellsTell
\* Words
<1>n. \A x : NeverCommits(x)' <=> NeverCommits(x)
  BY <1>s DEF NeverCommits
<1>v. \A x, u, j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>s DEF Visible
<1>su. \A x, j : Superfluous(x, j)' <=> Superfluous(x, j)
  BY <1>s, <1>n DEF Superfluous
<1>h. /\ \A x, j, u : Erased(x, j, u)' <=> Erased(x, j, u)
      /\ \A x : Healed(x)' <=> Healed(x)
  BY <1>s, <1>v, <1>su DEF Erased, Healed
\* Conjuncts
<1>3. step = "record" /\ InTime(t) /\ Visible(m, cursor[t].key, t) => NeverCommits(m) \/ Erased(m, cursor[t].key, t)
  BY <1>m, <1>c, UnseenIsErased
<1> HIDE DEF step
<1>4. /\ ReadsKept'
      /\ cursor'[t] = [step |-> step, key |-> cursor[t].key, met |-> cursor[t].met]
      /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
  <2>1. step \in {"record", "entry", "heal", "pending", "reread", "repair"} /\ step # "heal" /\ cursor[t].step # "none"
    BY <1>c, <1>m
  <2> QED
    BY <2>1, <1>3, <1>g, <1>s, <1>n, <1>h, KeptByGoingOn
<1>5. SecondLookTells'
  <2> SUFFICES ASSUME NEW u \in Txn
               PROVE  /\ cursor'[u].step = "reread" => cursor'[u].met \in committed \/ NeverCommits(cursor[u].met)'
                      /\ cursor'[u].step = "repair" => cursor'[u].met \in committed
                      /\ cursor'[u].step \in {"reread", "repair"} /\ cursor'[u].met \in committed =>
                          /\ Healed(cursor[u].met)'
                          /\ \/ status[cursor'[u].met] = "closed"
                             \/ readTs[cursor'[u].met] < watermark /\ commitTable[cursor'[u].met] = NoTs
    BY <1>s DEF SecondLookTells
  <2>1. CASE u = t
    BY <2>1, <1>4, <1>c, <1>m, <1>n, <1>h
  <2>2. CASE u # t
    BY <2>2, <1>4, <1>n, <1>h, <1>k DEF SecondLookTells
  <2> QED
    BY <2>1, <2>2
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ RecordsWereWritten' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ AnsweredBefore' /\ TypeOKStatus'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKPrecedes'
      /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunCommitTable'
  BY Zenon, <1>s, Frames DEF Kept, Inductive, TypeOK
<1> QED
  BY Zenon, <1>f, <1>4, <1>5 DEF Kept, Inductive, TypeOK, ReadsKept
================================================================================
