------------------------------ MODULE OmidLLLateCommitEntry ------------------------------
(***************************************************************************)
(* LateCommitEntry keeps the invariant of Omid LL.                         *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA LateCommitEntryKeeps == \A t \in Txn : Kept /\ LateCommitEntry(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, LateCommitEntry(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitCell, watermark, inspected, latePuts, reads, precedes, faults>>
  BY DEF LateCommitEntry, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>tt0. TypeOKCommitTable'
  BY DEF TypeOKCommitTable, FunCommitTable, CommitTsFollows, TypeOKReadTs, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet,
       AboveWatermark, TypeOKCommitTs, TypeOKClock
<1>tt1. TypeOKLateEntries'
  BY <1>tt0 DEF TypeOKLateEntries, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet, AboveWatermark
<1>tt2. TypeOKCommitted'
  BY <1>tt0, <1>tt1 DEF TypeOKCommitted, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet, AboveWatermark
<1>tt3. FunCommitTable'
  BY <1>tt0, <1>tt1, <1>tt2 DEF TypeOKCommitTable, FunCommitTable, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet,
       AboveWatermark, TypeOKReadTs, TypeOKCommitTs, TypeOKClock
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>tt0, <1>tt1, <1>tt2, <1>tt3 DEF NeverCommits, TypeOKCommitTable, FunCommitTable, TypeOKLateEntries, TypeOKCommitted,
       LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet, AboveWatermark, TypeOKReadTs, TypeOKWatermark, TypeOKClock,
       TypeOKStatus
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>tt0, <1>tt1, <1>tt2, <1>tt3, <1>n DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>tt0, <1>tt1, <1>tt2, <1>tt3, <1>n, <1>v DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>tt0, <1>tt1, <1>tt2, <1>tt3, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, LateCommitEntry, CreateEntry, TakesEntry,
       NoEntryYet, AboveWatermark, Erased, Healed
\* Conjuncts
<1> USE <1>tt0, <1>tt1, <1>tt2, <1>tt3, <1>n, <1>v, <1>su, <1>h
<1>2. /\ EntriesTell'
      /\ CommitCellsTell'
      /\ LateEntriesSent'
      /\ CommittedCertified'
      /\ EntryWhileAsked'
      /\ ToldCommitted'
  BY DEF EntriesTell, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet,
       AboveWatermark, TypeOKCommitTs, CommitCellsTell, TypeOKCommitCell, LateEntriesSent, TypeOKLateEntries, TypeOKReadTs,
       TypeOKWatermark, CommittedCertified, EntryWhileAsked, ToldCommitted
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, LateCommitEntry, CreateEntry, TakesEntry,
       NoEntryYet, AboveWatermark, TypeOKCommitCell, TypeOKCommitTs, PostCommitRemembers, CertifiedIsStored, TypeOKWrites,
       ActiveIsStored, TypeOKReadTs, TypeOKWatermark, LatePutsBringNothingBack, InspectedIsSettled
<1>4. /\ ReadsAreOfSnapshot'
      /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
  BY DEF ReadsAreOfSnapshot, Value, TypeOKCommitted, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet, AboveWatermark,
       ReadsAreNewest, TypeOKCommitTs, NothingReadIsNothing
<1>516. PassedDoesNotMatter'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs
<1>517. MetDoesNotMatter'
  BY DEF MetDoesNotMatter, ReadIsOfActive, TypeOKReadTs, TypeOKCommitTs
<1>518. LeftDoesNotMatter'
  BY DEF LeftDoesNotMatter, InTime, ReadIsOfActive, TypeOKReadTs, TypeOKWatermark
<1>519. HealsCommitted'
  BY DEF HealsCommitted, ReadIsOfActive, TypeOKCommitted, LateCommitEntry, CreateEntry, TakesEntry, NoEntryYet, AboveWatermark
<1>520. SecondLookTells'
  BY DEF SecondLookTells, ReadIsOfActive, TypeOKCommitted, TypeOKCommitTable, FunCommitTable, LateCommitEntry, CreateEntry,
       TakesEntry, NoEntryYet, AboveWatermark, TypeOKReadTs, TypeOKWatermark, NeverCommits, Healed, TypeOKWrites, TypeOKStored
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ RecordsWereWritten'
      /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ ReadIsOfActive' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs'
      /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected'
      /\ TypeOKLatePuts' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>tt0, <1>tt1, <1>tt2, <1>tt3, <1>2, <1>3, <1>4, <1>516, <1>517, <1>518, <1>519, <1>520
================================================================================
