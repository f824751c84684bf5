------------------------------ MODULE OmidLLEvict ------------------------------
(***************************************************************************)
(* Evict keeps the invariant of Omid LL.                                   *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA EvictKeeps == \A k \in Key : Kept /\ Evict(k) => Kept'
<1> SUFFICES ASSUME NEW k \in Key, Kept, Evict(k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, stored, commitCell, commitTable,
                  watermark, inspected, latePuts, lateEntries, committed, reads, precedes>>
  BY DEF Evict, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKLastCommit'
      /\ TypeOKLowWatermark'
      /\ TypeOKFaults'
  BY DEF TypeOKLastCommit, Evict, LowWatermarkAfterEviction, TypeOKLowWatermark, TypeOKFaults
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>t DEF NeverCommits, TypeOKCommitted
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
<1>1. /\ GivenByClock'
      /\ ConflictsRemembered'
  BY DEF GivenByClock, TypeOKLastCommit, TypeOKLowWatermark, Evict, LowWatermarkAfterEviction, TypeOKReadTs, TypeOKClock,
       TypeOKCommitTs, TypeOKWatermark, ConflictsRemembered, TypeOKWrites
\* The rest says nothing of what has changed.
<1>f. /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell' /\ CommitCellsTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ RecordsWereWritten' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled' /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest' /\ NothingReadIsNothing'
      /\ ReadIsOfActive' /\ PassedDoesNotMatter' /\ MetDoesNotMatter' /\ LeftDoesNotMatter' /\ HealsCommitted'
      /\ SecondLookTells' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites'
      /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKStored'
      /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts'
      /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>1
================================================================================
