------------------------------ MODULE OmidLLInvalidatePending ------------------------------
(***************************************************************************)
(* InvalidatePending keeps the invariant of Omid LL.                       *)
(***************************************************************************)
EXTENDS OmidLLReadOn

LEMMA InvalidatePendingKeeps == \A t \in Txn : Kept /\ InvalidatePending(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, InvalidatePending(t) PROVE Kept'
  OBVIOUS
<1> USE DEF NoTs, Invalidated
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF InvalidatePending, tm, store, network
<1>k. /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWatermark /\ TypeOKCommitTable /\ FunCommitTable /\ TypeOKCommitted
      /\ TypeOKLateEntries /\ EntriesTell /\ LateEntriesSent /\ CommittedCertified /\ EntryWhileAsked /\ CommitIsDurable
      /\ PostCommitRemembers /\ CertifiedIsStored /\ ActiveIsStored /\ LatePutsBringNothingBack /\ InspectedIsSettled
      /\ ReadIsOfActive /\ SecondLookTells
  BY DEF Kept, Inductive, TypeOK
<1> DEFINE m == cursor[t].met
<1>m. cursor[t].step = "pending" /\ m \in Txn
  BY <1>k DEF InvalidatePending, ReadIsOfActive
\* What happens to entries: there may be a marker, where there was nothing, and not below the watermark.
<1>e. /\ \A x \in Txn : \/ commitTable'[x] = commitTable[x]
                        \/ commitTable[x] = NoTs /\ commitTable'[x] = Invalidated /\ readTs[x] >= watermark
      /\ TypeOKCommitTable' /\ FunCommitTable'
  BY <1>k, <1>m DEF InvalidatePending, InvalidatesOnlyPending, EntryAfterInvalidation, MarkerStillTells, TypeOKCommitTable,
       FunCommitTable
\* What the reader does
<1>r. \/ /\ GoOn(t, cursor[t].key, m, "reread")
         /\ commitTable[m] \in {NoTs, Invalidated}
         /\ commitTable'[m] = Invalidated \/ readTs[m] < watermark
      \/ /\ commitTable[m] \notin {NoTs, Invalidated}
         /\ Decide(t, cursor[t].key, m, commitTable[m])
  <2>1. CASE commitTable[m] = NoTs
    <3>1. /\ commitTable' = [commitTable EXCEPT ![m] = EntryAfterInvalidation(m)]
          /\ GoOn(t, cursor[t].key, m, "reread")
      BY <2>1 DEF InvalidatePending, InvalidatesOnlyPending
    <3>2. commitTable'[m] = EntryAfterInvalidation(m)
      BY <3>1, <1>m, <1>k DEF FunCommitTable
    <3>3. readTs[m] >= watermark \/ readTs[m] < watermark
      BY <1>m, <1>k DEF TypeOKReadTs, TypeOKWatermark
    <3> QED
      BY <3>1, <3>2, <3>3, <2>1 DEF EntryAfterInvalidation, MarkerStillTells
  <2>2. CASE commitTable[m] # NoTs
    <3>1. /\ UNCHANGED commitTable
          /\ IF commitTable[m] = Invalidated THEN GoOn(t, cursor[t].key, m, "reread")
             ELSE Decide(t, cursor[t].key, m, commitTable[m])
      BY <2>2 DEF InvalidatePending, InvalidatesOnlyPending
    <3> QED
      BY <3>1, <2>2
  <2> QED
    BY <2>1, <2>2
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>s, <1>e DEF NeverCommits
<1>v. \A x, u, j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>s DEF Visible
<1>su. \A x, j : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>s, <1>n DEF Superfluous
<1>h. /\ \A x, j : Hidden(x, j) => Hidden(x, j)'
      /\ \A x, j, u : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x : Healed(x) => Healed(x)'
  BY <1>s, <1>v, <1>su DEF Hidden, Erased, Healed
\* Conjuncts
<1>2. EntriesTell' /\ LateEntriesSent' /\ EntryWhileAsked'
  BY <1>s, <1>e, <1>k DEF EntriesTell, LateEntriesSent, EntryWhileAsked, TypeOKCommitted, TypeOKLateEntries, CommittedCertified,
       TypeOKReadTs, TypeOKWatermark, TypeOKCommitTs
<1>31. CommitIsDurable'
  BY <1>s, <1>e, <1>su, <1>k DEF CommitIsDurable, CommittedCertified, TypeOKCommitted
<1>32. PostCommitRemembers'
  BY <1>s, <1>su, <1>k DEF PostCommitRemembers
<1>33. CertifiedIsStored'
  BY <1>s, <1>n, <1>su, <1>h, <1>k DEF CertifiedIsStored
<1>34. ActiveIsStored'
  BY <1>s, <1>su, <1>h, <1>k DEF ActiveIsStored
<1>35. LatePutsBringNothingBack'
  BY <1>s, <1>n, <1>su, <1>k DEF LatePutsBringNothingBack
<1>36. InspectedIsSettled'
  BY <1>s, <1>h, <1>k DEF InspectedIsSettled
\* Who was looked at again had no entry that could be marked.
<1>x. ASSUME NEW x \in Txn, status[x] = "closed" \/ (readTs[x] < watermark /\ commitTable[x] = NoTs)
      PROVE  status[x] = "closed" \/ (readTs[x] < watermark /\ commitTable'[x] = NoTs)
  BY <1>x, <1>s, <1>e, <1>k DEF TypeOKReadTs, TypeOKWatermark
<1>5. ReadsKept' /\ SecondLookTells'
  <2>u. ASSUME NEW u \in Txn, cursor'[u] = cursor[u]
        PROVE  /\ cursor'[u].step = "reread" => cursor'[u].met \in committed \/ NeverCommits(cursor[u].met)'
               /\ cursor'[u].step = "repair" => cursor'[u].met \in committed
               /\ cursor'[u].step \in {"reread", "repair"} /\ cursor'[u].met \in committed =>
                   /\ Healed(cursor[u].met)'
                   /\ \/ status[cursor'[u].met] = "closed"
                      \/ readTs[cursor'[u].met] < watermark /\ commitTable'[cursor'[u].met] = NoTs
    BY <2>u, <1>n, <1>h, <1>x, <1>k DEF SecondLookTells, ReadIsOfActive
  <2>1. CASE GoOn(t, cursor[t].key, m, "reread") /\ commitTable[m] \in {NoTs, Invalidated} /\
             (commitTable'[m] = Invalidated \/ readTs[m] < watermark)
    <3>1. /\ ReadsKept'
          /\ cursor'[t] = [step |-> "reread", key |-> cursor[t].key, met |-> cursor[t].met]
          /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
      BY <2>1, <1>m, <1>s, <1>n, <1>h, KeptByGoingOn
    <3>2. m \in committed \/ NeverCommits(m)'
      BY <2>1, <3>1, <1>s DEF NeverCommits
    <3>3. ASSUME m \in committed
          PROVE  Healed(m) /\ (status[m] = "closed" \/ (readTs[m] < watermark /\ commitTable'[m] = NoTs))
      <4>1. commitTable[m] # commitTs[m] /\ commitTs[m] # NoTs
        BY <2>1, <3>3, <1>m, <1>k DEF CommittedCertified, TypeOKCommitTs
      <4>2. Healed(m)
        BY <4>1, <3>3, <1>k DEF Healed, CommitIsDurable
      <4>3. status[m] = "closed" \/ (readTs[m] < watermark /\ commitTable[m] = NoTs)
        BY <4>1, <3>3, <1>k DEF EntryWhileAsked
      <4> QED
        BY <4>2, <4>3, <1>x, <1>m
    <3>4. /\ cursor'[t].step = "reread" => cursor'[t].met \in committed \/ NeverCommits(cursor[t].met)'
          /\ cursor'[t].step = "repair" => cursor'[t].met \in committed
          /\ cursor'[t].step \in {"reread", "repair"} /\ cursor'[t].met \in committed =>
              /\ Healed(cursor[t].met)'
              /\ \/ status[cursor'[t].met] = "closed"
                 \/ readTs[cursor'[t].met] < watermark /\ commitTable'[cursor'[t].met] = NoTs
      BY <3>1, <3>2, <3>3, <1>h, <1>s
    <3> QED
      BY <3>1, <3>4, <2>u, <1>s DEF SecondLookTells
  <2>2. CASE commitTable[m] \notin {NoTs, Invalidated} /\ Decide(t, cursor[t].key, m, commitTable[m])
    <3>1. m \in committed /\ Decide(t, cursor[t].key, m, commitTs[m])
      BY <2>2, <1>m, <1>k DEF EntriesTell
    <3>2. /\ ReadsKept'
          /\ cursor'[t].step \in {"none", "record"}
          /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
      BY <3>1, <1>m, <1>s, <1>n, <1>h, KeptByDeciding
    <3> QED
      BY <3>2, <2>u, <1>s DEF SecondLookTells
  <2> QED
    BY <1>r, <2>1, <2>2
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ CommitCellsTell'
      /\ CommittedCertified' /\ ToldCommitted' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap'
      /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes'
      /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored'
      /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted'
      /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
  BY Zenon, <1>s, Frames DEF Kept, Inductive, TypeOK
<1> QED
  BY Zenon, <1>f, <1>e, <1>2, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>5 DEF Kept, Inductive, TypeOK, ReadsKept
================================================================================
