------------------------------ MODULE OmidLLCleanLeftover ------------------------------
(***************************************************************************)
(* CleanLeftover keeps the invariant of Omid LL: whoever wrote the record  *)
(* that goes never commits, or it was a superfluous tombstone.             *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA CleanLeftoverKeeps == \A t \in Txn, k \in Key : Kept /\ CleanLeftover(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, CleanLeftover(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, commitCell,
                  commitTable, watermark, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF CleanLeftover, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. TypeOKStored' /\ TypeOKInspected'
  BY DEF TypeOKStored, TypeOKInspected, CleanLeftover, StillInspected
\* What the step does: it removes at most t's record, and only if that has no commit cell.
<1>c. /\ \A j \in Key, x \in Txn : x \in stored'[j] => x \in stored[j]
      /\ \A j \in Key, x \in Txn :
            x \in stored[j] => x \in stored'[j] \/ (j = k /\ x = t /\ commitCell[j][x] = NoTs)
      /\ inspected' = {}
      /\ <<k, t>> \in inspected
  BY DEF TypeOKStored, CleanLeftover, StillInspected, StillTentative
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>c, <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in Txn : Healed(x) => Healed(x)'
  BY <1>c, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed, CommittedCertified
\* Nobody needs the record that is removed: if t has committed, all of its records without commit cell are superfluous
\* tombstones, since it was asked for its entry when it had none; and if not, it is below the watermark.
<1>d. \A j \in Key, x \in Txn : x \in stored[j] => x \in stored'[j] \/ Superfluous(x, j)' \/ NeverCommits(x)'
  <2>1. readTs[t] < watermark /\ (t \in committed => Healed(t))
    BY <1>c DEF InspectedIsSettled
  <2>2. t \notin committed => NeverCommits(t)
    BY <2>1 DEF NeverCommits
  <2>3. t \in committed /\ t \in stored[k] /\ commitCell[k][t] = NoTs => Superfluous(t, k)
    BY <2>1 DEF Healed
  <2> QED
    BY <1>c, <1>n, <1>su, <2>2, <2>3
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>h
<1>2. RecordsWereWritten'
  BY <1>c DEF RecordsWereWritten
<1>30. CommitIsDurable' /\ PostCommitRemembers'
  BY <1>c DEF CommitIsDurable, PostCommitRemembers, TypeOKCommitted
<1>31. CertifiedIsStored'
  BY <1>d DEF CertifiedIsStored, TypeOKWrites
<1>32. ActiveIsStored'
  <2>1. readTs[t] < watermark
    BY <1>c DEF InspectedIsSettled
  <2> QED
    BY <1>c, <2>1 DEF ActiveIsStored, TypeOKWrites
<1>33. LatePutsBringNothingBack'
  <2>1. readTs[t] < watermark
    BY <1>c DEF InspectedIsSettled
  <2> QED
    BY <1>c, <1>d, <2>1 DEF LatePutsBringNothingBack
<1>34. InspectedIsSettled'
  BY <1>c DEF InspectedIsSettled
<1>5. PassedDoesNotMatter' /\ LeftDoesNotMatter'
  BY DEF PassedDoesNotMatter, LeftDoesNotMatter, ReadIsOfActive, InTime
<1>6. SecondLookTells'
  BY DEF SecondLookTells, ReadIsOfActive
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ CommitCellsTell' /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest' /\ NothingReadIsNothing' /\ ReadIsOfActive'
      /\ MetDoesNotMatter' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs'
      /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit'
      /\ TypeOKLowWatermark' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>30, <1>31, <1>32, <1>33, <1>34, <1>5, <1>6
================================================================================
