------------------------------ MODULE OmidLLRaiseWatermark ------------------------------
(***************************************************************************)
(* RaiseWatermark keeps the invariant of Omid LL.                          *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA RaiseWatermarkKeeps == Kept /\ RaiseWatermark => Kept'
<1> SUFFICES ASSUME Kept, RaiseWatermark PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF RaiseWatermark, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. TypeOKWatermark'
  BY DEF TypeOKWatermark, RaiseWatermark, Forgets, TypeOKReadTs, TypeOKCommitTs, TypeOKClock, TypeOKCommitTable
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKWatermark, RaiseWatermark, Forgets, TypeOKCommitted, TypeOKReadTs, TypeOKCommitTable,
       TypeOKClock, TypeOKStatus, TypeOKLateEntries
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>t, <1>n DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>t, <1>n, <1>v DEF Superfluous
<1>hhi. \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
  BY <1>t, <1>n, <1>v, <1>su DEF Hidden, TypeOKWatermark, RaiseWatermark, Forgets, TypeOKCommitted, TypeOKReadTs,
       TypeOKCommitTs, TypeOKCommitCell, TypeOKClock, TypeOKStored
<1>her. \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
  BY <1>t, <1>n, <1>v, <1>su, <1>hhi DEF Erased, TypeOKCommitted
<1>hhe. \A x \in committed : Healed(x) => Healed(x)'
  BY <1>t, <1>n, <1>v, <1>su, <1>hhi, <1>her DEF Healed, TypeOKCommitted
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>hhi, <1>her, <1>hhe
<1>1. GivenByClock'
  BY DEF GivenByClock, TypeOKWatermark, RaiseWatermark, Forgets, TypeOKReadTs, TypeOKClock, TypeOKLowWatermark,
       TypeOKLastCommit, TypeOKCommitTs
<1>2. /\ LateEntriesSent'
      /\ EntryWhileAsked'
  BY DEF LateEntriesSent, TypeOKLateEntries, TypeOKWatermark, RaiseWatermark, Forgets, TypeOKReadTs, TypeOKCommitTable,
       TypeOKCommitTs, EntryWhileAsked, TypeOKCommitted
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, TypeOKCommitted, TypeOKCommitTable, TypeOKCommitCell, TypeOKCommitTs, PostCommitRemembers,
       CertifiedIsStored, TypeOKWrites, ActiveIsStored, TypeOKWatermark, RaiseWatermark, Forgets, TypeOKReadTs,
       LatePutsBringNothingBack, InspectedIsSettled
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
  BY DEF ReadsAreNewest, TypeOKCommitTs, NothingReadIsNothing, TypeOKCommitted
<1>5. /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ SecondLookTells'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs, MetDoesNotMatter, TypeOKCommitTs, LeftDoesNotMatter, InTime,
       TypeOKWatermark, RaiseWatermark, Forgets, SecondLookTells, TypeOKCommitted, TypeOKCommitTable
\* The rest says nothing of what has changed.
<1>f. /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell' /\ CommitCellsTell'
      /\ CommittedCertified' /\ ToldCommitted' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap'
      /\ ReadsAreOfSnapshot' /\ ReadIsOfActive' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs'
      /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes'
      /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>1, <1>2, <1>3, <1>4, <1>5
================================================================================
