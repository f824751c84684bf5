------------------------------ MODULE OmidLLAbort ------------------------------
(***************************************************************************)
(* Who gives up, before it asks for a commit timestamp or when the answer  *)
(* is lost, keeps the invariant of Omid LL.                                *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA KeptByAbort == \A t \in Txn : Kept /\ status[t] \in {"active", "certified"} /\ Abort(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, status[t] \in {"active", "certified"}, Abort(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, clock, lastCommit, lowWatermark, stored, commitCell,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes>>
  BY DEF Abort, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKStatus'
      /\ TypeOKTodo'
      /\ TypeOKCursor'
      /\ TypeOKFaults'
      /\ FunTodo'
  BY DEF TypeOKStatus, Abort, TypeOKWrites, TypeOKTodo, FunTodo, TypeOKCursor, TypeOKFaults
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKStatus, Abort, TypeOKCommitted
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
  BY DEF BegunHasReadTs, TypeOKStatus, Abort, TypeOKReadTs, CommitTsFollows, TypeOKCommitTs, IdleDidNothing,
       TypeOKPrecedes
<1>2. /\ LateEntriesSent'
      /\ CommittedCertified'
      /\ EntryWhileAsked'
      /\ ToldCommitted'
  BY DEF LateEntriesSent, TypeOKLateEntries, TypeOKStatus, Abort, TypeOKCommitTable, TypeOKReadTs, TypeOKCommitTs,
       TypeOKWatermark, CommittedCertified, TypeOKCommitted, EntryWhileAsked, ToldCommitted
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled'
  BY DEF CommitIsDurable, TypeOKCommitted, TypeOKCommitTable, TypeOKCommitCell, TypeOKCommitTs, PostCommitRemembers,
       TypeOKStatus, TypeOKTodo, FunTodo, Abort, CertifiedIsStored, TypeOKWrites, ActiveIsStored, TypeOKReadTs,
       TypeOKWatermark, LatePutsBringNothingBack, InspectedIsSettled
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
      /\ AnsweredBefore'
  BY DEF ReadsAreNewest, TypeOKCommitTs, NothingReadIsNothing, TypeOKCommitted, AnsweredBefore, TypeOKPrecedes, TypeOKStatus,
       Abort, TypeOKReadTs
<1>5. /\ ReadIsOfActive'
      /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ HealsCommitted'
      /\ SecondLookTells'
  BY DEF ReadIsOfActive, TypeOKStatus, TypeOKCursor, Abort, TypeOKReadTs, PassedDoesNotMatter, MetDoesNotMatter,
       TypeOKCommitTs, LeftDoesNotMatter, InTime, TypeOKWatermark, HealsCommitted, TypeOKCommitted, SecondLookTells,
       TypeOKCommitTable
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell' /\ RecordsWereWritten' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes'
      /\ TypeOKUnanswered' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell'
      /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted'
      /\ TypeOKReads' /\ TypeOKPrecedes' /\ FunDeletes' /\ FunUnanswered' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>1, <1>2, <1>3, <1>4, <1>5

LEMMA RollbackKeeps == \A t \in Txn : Kept /\ Rollback(t) => Kept'
  BY KeptByAbort DEF Rollback

LEMMA LoseCommitAnswerKeeps == \A t \in Txn : Kept /\ LoseCommitAnswer(t) => Kept'
  BY KeptByAbort DEF LoseCommitAnswer
================================================================================
