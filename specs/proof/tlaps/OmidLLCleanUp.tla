------------------------------ MODULE OmidLLCleanUp ------------------------------
(***************************************************************************)
(* CleanUp keeps the invariant of Omid LL.                                 *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA CleanUpKeeps == \A t \in Txn, k \in Key : Kept /\ CleanUp(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, CleanUp(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, commitCell,
                  watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF CleanUp, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKTodo'
      /\ TypeOKStored'
      /\ TypeOKCommitTable'
      /\ FunTodo'
      /\ FunCommitTable'
  BY DEF TypeOKWrites, TypeOKTodo, FunTodo, CleanUp, EntryAfterCleanUp, TypeOKStored, TypeOKCommitTable, FunCommitTable
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKCommitTable, FunCommitTable, CleanUp, EntryAfterCleanUp, TypeOKCommitted
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>t, <1>n DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>t, <1>n, <1>v DEF Superfluous, TypeOKStored, CleanUp, EntryAfterCleanUp
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>t, <1>n, <1>v, <1>su DEF Hidden, TypeOKStored, CommittedCertified, CleanUp, EntryAfterCleanUp, TypeOKCommitted, Erased,
       Healed
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>h
<1>2. /\ EntriesTell'
      /\ LateEntriesSent'
      /\ EntryWhileAsked'
      /\ RecordsWereWritten'
  BY DEF EntriesTell, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, CleanUp, EntryAfterCleanUp, TypeOKCommitTs,
       LateEntriesSent, TypeOKLateEntries, TypeOKReadTs, TypeOKWatermark, EntryWhileAsked, RecordsWereWritten, TypeOKStored
<1>34. CommitIsDurable'
  BY DEF CommitIsDurable, TypeOKCommitted, TypeOKStored, TypeOKCommitTable, FunCommitTable, CleanUp, EntryAfterCleanUp,
       TypeOKCommitCell, TypeOKCommitTs
<1>35. PostCommitRemembers'
  BY DEF PostCommitRemembers, TypeOKTodo, FunTodo, TypeOKStored, CleanUp, EntryAfterCleanUp, TypeOKCommitCell, TypeOKCommitTs
<1>37. CertifiedIsStored'
  BY DEF CertifiedIsStored, CommittedCertified, LateEntriesSent, TypeOKWrites, TypeOKStored, CleanUp, EntryAfterCleanUp,
       TypeOKReadTs, TypeOKCommitTable, TypeOKWatermark, TypeOKCommitTs, NeverCommits, Superfluous, Hidden, TypeOKCommitted
<1>38. ActiveIsStored'
  BY DEF ActiveIsStored, CommittedCertified, TypeOKWrites, TypeOKStored, CleanUp, EntryAfterCleanUp, TypeOKReadTs,
       TypeOKWatermark, TypeOKCommitTs
<1>39. LatePutsBringNothingBack'
  BY DEF LatePutsBringNothingBack, CommittedCertified, LateEntriesSent, TypeOKStored, CleanUp, EntryAfterCleanUp, TypeOKReadTs,
       TypeOKCommitTable, TypeOKWatermark, TypeOKCommitTs, NeverCommits, Superfluous, TypeOKCommitted, TypeOKWrites
<1>310. InspectedIsSettled'
  BY DEF InspectedIsSettled, TypeOKCommitted, TypeOKReadTs, TypeOKWatermark
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
  BY DEF ReadsAreNewest, TypeOKCommitTs, NothingReadIsNothing, TypeOKCommitted
<1>5. /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ SecondLookTells'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs, MetDoesNotMatter, TypeOKCommitTs, LeftDoesNotMatter, InTime,
       TypeOKWatermark, SecondLookTells, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, CleanUp, EntryAfterCleanUp
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ CommitCellsTell'
      /\ CommittedCertified' /\ ToldCommitted' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot'
      /\ ReadIsOfActive' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs'
      /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit'
      /\ TypeOKLowWatermark' /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts'
      /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes'
      /\ FunUnanswered' /\ FunReads'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>34, <1>35, <1>37, <1>38, <1>39, <1>310, <1>4, <1>5
================================================================================
