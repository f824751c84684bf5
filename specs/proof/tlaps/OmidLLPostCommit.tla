------------------------------ MODULE OmidLLPostCommit ------------------------------
(***************************************************************************)
(* PostCommit keeps the invariant of Omid LL.                              *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA PostCommitKeeps == \A t \in Txn, k \in Key : Kept /\ PostCommit(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, PostCommit(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF PostCommit, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>tt0. TypeOKTodo'
  BY DEF TypeOKWrites, TypeOKTodo, FunTodo, PostCommit
<1>tt1. TypeOKCommitCell'
  BY <1>tt0 DEF TypeOKCommitCell, CommitTsFollows, TypeOKReadTs, PostCommit, TypeOKCommitTs, TypeOKClock, TypeOKCommitTable
<1>tt2. FunTodo'
  BY <1>tt0, <1>tt1 DEF TypeOKTodo, FunTodo, PostCommit
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>tt0, <1>tt1, <1>tt2 DEF NeverCommits, TypeOKCommitted
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>tt0, <1>tt1, <1>tt2, <1>n DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>tt0, <1>tt1, <1>tt2, <1>n, <1>v DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>tt0, <1>tt1, <1>tt2, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitCell, EntriesTell, CommitCellsTell, PostCommit,
       TypeOKCommitted, Erased, Healed, CommittedCertified, CommitTsFollows, HealsCommitted
\* Conjuncts
<1> USE <1>tt0, <1>tt1, <1>tt2, <1>n, <1>v, <1>su, <1>h
<1>2. CommitCellsTell'
  BY DEF CommitCellsTell, ToldCommitted, TypeOKTodo, TypeOKCommitted, TypeOKCommitCell, PostCommit, TypeOKCommitTs
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, TypeOKCommitted, TypeOKCommitCell, PostCommit, TypeOKCommitTable, TypeOKCommitTs, PostCommitRemembers,
       TypeOKTodo, FunTodo, CertifiedIsStored, TypeOKWrites, ActiveIsStored, TypeOKReadTs, TypeOKWatermark, InspectedIsSettled,
       CommitTsFollows, CommittedCertified
<1>5. SecondLookTells'
  BY DEF SecondLookTells, CommitTsFollows, ReadIsOfActive, TypeOKCommitted, TypeOKCommitTable, TypeOKReadTs, TypeOKCommitTs,
       TypeOKWatermark
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ RecordsWereWritten'
      /\ LatePutsBringNothingBack' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest'
      /\ NothingReadIsNothing' /\ ReadIsOfActive' /\ PassedDoesNotMatter' /\ MetDoesNotMatter' /\ LeftDoesNotMatter'
      /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites'
      /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark'
      /\ TypeOKStored' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunReads'
      /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>tt0, <1>tt1, <1>tt2, <1>2, <1>3, <1>5
================================================================================
