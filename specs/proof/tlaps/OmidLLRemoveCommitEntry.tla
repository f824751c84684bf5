------------------------------ MODULE OmidLLRemoveCommitEntry ------------------------------
(***************************************************************************)
(* RemoveCommitEntry keeps the invariant of Omid LL.                       *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA RemoveCommitEntryKeeps == \A t \in Txn : Kept /\ RemoveCommitEntry(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, RemoveCommitEntry(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                  watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF RemoveCommitEntry, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKStatus'
      /\ TypeOKTodo'
      /\ TypeOKCommitTable'
      /\ FunTodo'
      /\ FunCommitTable'
  BY DEF TypeOKStatus, RemoveCommitEntry, CommitCellsDurable, TypeOKWrites, TypeOKTodo, FunTodo, TypeOKCommitTable,
       FunCommitTable
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKStatus, TypeOKCommitTable, FunCommitTable, ToldCommitted, LateEntriesSent, RemoveCommitEntry,
       CommitCellsDurable, TypeOKCommitted
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
<1>1. /\ BegunHasReadTs'
      /\ CommitTsFollows'
      /\ IdleDidNothing'
  BY DEF BegunHasReadTs, TypeOKStatus, RemoveCommitEntry, CommitCellsDurable, TypeOKReadTs, CommitTsFollows, TypeOKCommitTs,
       IdleDidNothing, TypeOKPrecedes
<1>2. /\ EntriesTell'
      /\ LateEntriesSent'
      /\ CommittedCertified'
      /\ EntryWhileAsked'
      /\ ToldCommitted'
  BY DEF EntriesTell, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, RemoveCommitEntry, CommitCellsDurable, TypeOKCommitTs,
       LateEntriesSent, TypeOKLateEntries, TypeOKStatus, TypeOKReadTs, TypeOKWatermark, CommittedCertified, EntryWhileAsked,
       ToldCommitted
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, PostCommitRemembers, ToldCommitted, TypeOKCommitted, TypeOKCommitTable, FunCommitTable,
       RemoveCommitEntry, CommitCellsDurable, TypeOKCommitCell, TypeOKCommitTs, TypeOKStatus, TypeOKTodo, FunTodo,
       CertifiedIsStored, TypeOKWrites, ActiveIsStored, TypeOKReadTs, TypeOKWatermark, LatePutsBringNothingBack,
       InspectedIsSettled, CommitTsFollows
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
      /\ AnsweredBefore'
  BY DEF ReadsAreNewest, ToldCommitted, TypeOKCommitTs, NothingReadIsNothing, TypeOKCommitted, AnsweredBefore, TypeOKPrecedes,
       TypeOKStatus, RemoveCommitEntry, CommitCellsDurable, TypeOKReadTs
<1>5. /\ ReadIsOfActive'
      /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ SecondLookTells'
  BY DEF ReadIsOfActive, TypeOKStatus, RemoveCommitEntry, CommitCellsDurable, TypeOKReadTs, PassedDoesNotMatter, ToldCommitted,
       MetDoesNotMatter, TypeOKCommitTs, LeftDoesNotMatter, InTime, TypeOKWatermark, SecondLookTells, TypeOKCommitted,
       TypeOKCommitTable, FunCommitTable
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ TimestampsUnique' /\ CommitCellsTell' /\ RecordsWereWritten' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ HealsCommitted' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites'
      /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark'
      /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunReads'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>1, <1>2, <1>3, <1>4, <1>5
================================================================================
