------------------------------ MODULE OmidLLWriteCommitEntry ------------------------------
(***************************************************************************)
(* WriteCommitEntry keeps the invariant of Omid LL: what the client is     *)
(* told is what happened, and who never commits is not taken.              *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA WriteCommitEntryKeeps == \A t \in Txn : Kept /\ WriteCommitEntry(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, WriteCommitEntry(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                  watermark, inspected, latePuts, lateEntries, reads, precedes, faults>>
  BY DEF WriteCommitEntry, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>tt0. /\ TypeOKStatus'
        /\ TypeOKTodo'
        /\ FunTodo'
  BY DEF TypeOKStatus, TypeOKTodo, FunTodo, TypeOKWrites, WriteCommitEntry, AwaitsEntry, Outcome
<1>tt1. /\ TypeOKCommitTable'
        /\ FunCommitTable'
  BY DEF TypeOKCommitTable, FunCommitTable, WriteCommitEntry, CreateEntry, TypeOKCommitTs
<1>tt2. TypeOKCommitted'
  BY DEF TypeOKCommitted, WriteCommitEntry, CreateEntry
\* What the step does: to others nothing; and t is committed now or was before and is told so, or it is not, and is told so,
\* or it is told nothing.
<1>o. /\ \A x \in Txn : x # t => status'[x] = status[x] /\ todo'[x] = todo[x] /\ commitTable'[x] = commitTable[x]
      /\ \A x \in Txn : x # t => (x \in committed' <=> x \in committed)
      /\ committed \subseteq committed'
      /\ status[t] \in {"certified", "unknown"}
      /\ commitTs[t] # NoTs
      /\ readTs[t] # NoTs
  BY DEF WriteCommitEntry, AwaitsEntry, CreateEntry, TypeOKStatus, FunTodo, FunCommitTable, CommitTsFollows, BegunHasReadTs
<1>c. \/ /\ commitTable[t] = NoTs /\ readTs[t] >= watermark /\ t \notin committed
         /\ commitTable'[t] = commitTs[t] /\ t \in committed'
         /\ status'[t] = "committed" /\ todo'[t] = writes[t]
      \/ /\ commitTable' = commitTable /\ committed' = committed
         /\ commitTable[t] = commitTs[t] /\ t \in committed
         /\ status'[t] = "committed" /\ todo'[t] = writes[t]
      \/ /\ commitTable' = commitTable /\ committed' = committed
         /\ commitTable[t] = Invalidated /\ t \notin committed
         /\ status'[t] = "aborted" /\ todo'[t] = writes[t]
      \/ /\ commitTable' = commitTable /\ committed' = committed
         /\ commitTable[t] = NoTs /\ readTs[t] < watermark /\ status[t] = "certified" /\ t \notin committed
         /\ status'[t] = "aborted" /\ todo'[t] = writes[t]
      \/ /\ commitTable' = commitTable /\ committed' = committed
         /\ commitTable[t] = NoTs /\ readTs[t] < watermark /\ status[t] = "unknown"
         /\ status'[t] = "unresolved" /\ todo'[t] = {}
  <2>1. TakesEntry(t) <=> commitTable[t] = NoTs /\ readTs[t] >= watermark
    BY DEF TakesEntry, NoEntryYet, AboveWatermark
  <2>2. /\ status'[t] = Outcome(t)
        /\ todo'[t] = IF Outcome(t) = "unresolved" THEN {} ELSE writes[t]
    BY DEF WriteCommitEntry, TypeOKStatus, FunTodo
  <2>3. CASE TakesEntry(t)
    <3>1. t \notin committed
      BY <1>o, <2>1, <2>3 DEF EntryWhileAsked, TypeOKReadTs, TypeOKWatermark
    <3>2. commitTable'[t] = commitTs[t] /\ t \in committed'
      BY <2>3 DEF WriteCommitEntry, CreateEntry, FunCommitTable
    <3>3. Outcome(t) = "committed"
      BY <2>3 DEF Outcome
    <3> QED
      BY <2>1, <2>2, <2>3, <3>1, <3>2, <3>3
  <2>4. CASE ~TakesEntry(t)
    <3>1. commitTable' = commitTable /\ committed' = committed
      BY <2>4 DEF WriteCommitEntry, CreateEntry
    <3>2. CASE commitTable[t] = commitTs[t]
      <4>1. t \in committed
        BY <1>o, <3>2 DEF EntriesTell, TypeOKCommitTs
      <4>2. Outcome(t) = "committed"
        BY <3>2 DEF Outcome, IsOwnEntry
      <4> QED
        BY <2>2, <3>1, <3>2, <4>1, <4>2
    <3>3. CASE commitTable[t] # commitTs[t] /\ commitTable[t] # NoTs
      <4>1. commitTable[t] = Invalidated
        BY <3>3 DEF EntriesTell
      <4>2. t \notin committed
        BY <1>o, <3>3 DEF EntryWhileAsked
      <4>3. Outcome(t) = "aborted"
        BY <2>4, <3>3 DEF Outcome, IsOwnEntry
      <4> QED
        BY <2>2, <3>1, <4>1, <4>2, <4>3
    <3>4. CASE commitTable[t] # commitTs[t] /\ commitTable[t] = NoTs
      <4>1. readTs[t] < watermark
        BY <2>1, <2>4, <3>4 DEF TypeOKReadTs, TypeOKWatermark
      <4>2. CASE status[t] = "certified"
        <5>1. t \notin committed
          BY <4>2 DEF CommittedCertified
        <5>2. Outcome(t) = "aborted"
          BY <2>4, <3>4, <4>2 DEF Outcome, IsOwnEntry, RefusalDecides
        <5> QED
          BY <2>2, <3>1, <3>4, <4>1, <4>2, <5>1, <5>2
      <4>3. CASE status[t] # "certified"
        <5>1. Outcome(t) = "unresolved"
          BY <2>4, <3>4, <4>3 DEF Outcome, IsOwnEntry, RefusalDecides
        <5> QED
          BY <1>o, <2>2, <3>1, <3>4, <4>1, <4>3, <5>1
      <4> QED
        BY <4>2, <4>3
    <3> QED
      BY <3>2, <3>3, <3>4
  <2> QED
    BY <2>3, <2>4
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>o, <1>c DEF NeverCommits, TypeOKReadTs, TypeOKWatermark
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in Txn : Healed(x) => Healed(x)'
  BY <1>o, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1> USE <1>tt0, <1>tt1, <1>tt2, <1>n, <1>v, <1>su, <1>h
<1>1. /\ BegunHasReadTs'
      /\ CommitTsFollows'
      /\ IdleDidNothing'
  BY <1>o, <1>c DEF BegunHasReadTs, CommitTsFollows, IdleDidNothing
<1>2. /\ EntriesTell'
      /\ CommitCellsTell'
      /\ LateEntriesSent'
      /\ CommittedCertified'
      /\ EntryWhileAsked'
      /\ ToldCommitted'
  BY <1>o, <1>c DEF EntriesTell, CommitCellsTell, LateEntriesSent, CommittedCertified, EntryWhileAsked, ToldCommitted,
       TypeOKCommitted, TypeOKLateEntries
<1>30. CommitIsDurable'
  BY <1>o, <1>c DEF CommitIsDurable, TypeOKCommitted
<1>31. PostCommitRemembers'
  BY <1>o, <1>c DEF PostCommitRemembers, RecordsWereWritten
<1>32. CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
  BY <1>o, <1>c DEF CertifiedIsStored, ActiveIsStored, LatePutsBringNothingBack, TypeOKWrites
<1>33. InspectedIsSettled'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in Key, <<j, x>> \in inspected
               PROVE readTs[x] < watermark /\ (x \in committed' => Healed(x)')
    BY DEF InspectedIsSettled
  <2>1. readTs[x] < watermark /\ (x \in committed => Healed(x))
    BY DEF InspectedIsSettled
  \* Who is inspected is below the watermark, and whoever is committed by this step is not.
  <2>2. x \in committed' => x \in committed
    BY <1>o, <1>c, <2>1 DEF TypeOKReadTs, TypeOKWatermark
  <2> QED
    BY <1>h, <2>1, <2>2
<1>41. ReadsAreOfSnapshot'
  BY <1>o, <1>c DEF ReadsAreOfSnapshot, Value
<1>42. ReadsAreNewest'
  BY <1>o, <1>c DEF ReadsAreNewest
<1>43. NothingReadIsNothing'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads[u], NEW x \in Txn, ~r.own, r.from = NoTxn, Visible(x, r.key, u)',
                      r.key \notin deletes[x]
               PROVE \/ NeverCommits(x)'
                     \/ \E w \in committed' : Visible(w, r.key, u)' /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY DEF NothingReadIsNothing
  <2>1. Visible(x, r.key, u)
    BY Zenon, <1>v
  <2>2. NeverCommits(x) \/ \E w \in committed : Visible(w, r.key, u) /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY Zenon, <2>1 DEF NothingReadIsNothing
  <2>3. \A w \in committed : w \in Txn /\ w \in committed'
    BY <1>o DEF TypeOKCommitted
  <2> QED
    BY Zenon, <1>n, <1>v, <2>2, <2>3
<1>44. AnsweredBefore'
  BY <1>o, <1>c DEF AnsweredBefore, TypeOKPrecedes
<1>50. ReadIsOfActive'
  BY <1>o DEF ReadIsOfActive
<1>51. PassedDoesNotMatter'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs
<1>52. MetDoesNotMatter'
  BY DEF MetDoesNotMatter, ReadIsOfActive, TypeOKReadTs, TypeOKCommitTs
<1>53. LeftDoesNotMatter'
  BY DEF LeftDoesNotMatter, InTime, ReadIsOfActive, TypeOKReadTs, TypeOKWatermark
<1>54. HealsCommitted'
  BY <1>o DEF HealsCommitted, ReadIsOfActive
\* Nobody commits whom a reader has seen without entry or with a marker, and whom it therefore looks at again.
<1>55. SecondLookTells'
  BY <1>o, <1>c DEF SecondLookTells, ReadIsOfActive, NeverCommits, TypeOKReadTs, TypeOKWatermark
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ TimestampsUnique' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKCursor' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected'
      /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered'
      /\ FunReads'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>tt0, <1>tt1, <1>tt2, <1>1, <1>2, <1>30, <1>31, <1>32, <1>33, <1>41, <1>42, <1>43, <1>44, <1>50, <1>51,
       <1>52, <1>53, <1>54, <1>55
================================================================================
