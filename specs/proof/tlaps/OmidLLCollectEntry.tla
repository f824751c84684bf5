------------------------------ MODULE OmidLLCollectEntry ------------------------------
(***************************************************************************)
(* CollectEntry keeps the invariant of Omid LL.                            *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA CollectEntryKeeps == \A t \in Txn : Kept /\ CollectEntry(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, CollectEntry(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitCell, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF CollectEntry, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKCommitTable'
      /\ FunCommitTable'
  BY DEF TypeOKCommitTable, FunCommitTable, CollectEntry, EntryIsSettled, AllHealed
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKCommitTable, FunCommitTable, CollectEntry, EntryIsSettled, AllHealed, TypeOKCommitted
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>t, <1>n DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>t, <1>n, <1>v DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>t, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>h
<1>2. /\ EntriesTell'
      /\ LateEntriesSent'
      /\ EntryWhileAsked'
  BY DEF EntriesTell, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, CollectEntry, EntryIsSettled, AllHealed,
       TypeOKCommitTs, LateEntriesSent, TypeOKLateEntries, TypeOKReadTs, TypeOKWatermark, EntryWhileAsked
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, CommitCellsTell, CommitTsFollows, TypeOKReadTs, TypeOKCommitted, TypeOKCommitTable, FunCommitTable,
       CollectEntry, EntryIsSettled, AllHealed, TypeOKCommitCell, TypeOKCommitTs, PostCommitRemembers, CertifiedIsStored,
       TypeOKWrites, ActiveIsStored, TypeOKWatermark, LatePutsBringNothingBack, InspectedIsSettled
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
  BY DEF ReadsAreNewest, TypeOKCommitTs, NothingReadIsNothing, TypeOKCommitted
<1>5. /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ SecondLookTells'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs, MetDoesNotMatter, TypeOKCommitTs, LeftDoesNotMatter, InTime,
       TypeOKWatermark, SecondLookTells, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, CollectEntry, EntryIsSettled,
       AllHealed
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ CommitCellsTell'
      /\ CommittedCertified' /\ ToldCommitted' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap'
      /\ ReadsAreOfSnapshot' /\ ReadIsOfActive' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs'
      /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected'
      /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults'
      /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunReads'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>3, <1>4, <1>5
================================================================================
