------------------------------ MODULE OmidLLInspectLeftover ------------------------------
(***************************************************************************)
(* InspectLeftover keeps the invariant of Omid LL.                         *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA InspectLeftoverKeeps == \A t \in Txn, k \in Key : Kept /\ InspectLeftover(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, InspectLeftover(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF InspectLeftover, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. TypeOKInspected'
  BY DEF TypeOKInspected, InspectLeftover, MayInspect, IsBelowWatermark
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
<1>2. RecordsWereWritten'
  BY DEF RecordsWereWritten, TypeOKInspected, InspectLeftover, MayInspect, IsBelowWatermark
<1>3. InspectedIsSettled'
  BY DEF InspectedIsSettled, CommitIsDurable, CommitTsFollows, CommittedCertified, TypeOKReadTs, TypeOKCommitted,
       TypeOKInspected, InspectLeftover, MayInspect, IsBelowWatermark, TypeOKCommitTable, TypeOKWatermark, TypeOKCommitCell,
       TypeOKCommitTs, Healed, TypeOKWrites, TypeOKStored
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ CommitCellsTell' /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest' /\ NothingReadIsNothing' /\ ReadIsOfActive'
      /\ PassedDoesNotMatter' /\ MetDoesNotMatter' /\ LeftDoesNotMatter' /\ HealsCommitted' /\ SecondLookTells'
      /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes'
      /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark'
      /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>3
================================================================================
