------------------------------ MODULE OmidLLPassPending ------------------------------
(***************************************************************************)
(* PassPending keeps the invariant of Omid LL.                             *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA PassPendingKeeps == \A t \in Txn : Kept /\ PassPending(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, PassPending(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF PassPending, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKCursor'
      /\ TypeOKReads'
      /\ FunReads'
  BY DEF TypeOKCursor, PassPending, IsPending, GoOn, TypeOKReads, FunReads
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
<1>1. IdleDidNothing'
  BY DEF IdleDidNothing, TypeOKPrecedes, TypeOKReads, FunReads, PassPending, IsPending, GoOn
<1>4. /\ ReadsAreOfSnapshot'
      /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
  BY DEF ReadsAreOfSnapshot, Value, TypeOKCommitted, TypeOKReads, FunReads, PassPending, IsPending, GoOn, ReadsAreNewest,
       TypeOKCommitTs, NothingReadIsNothing
<1>55. ReadIsOfActive'
  BY DEF ReadIsOfActive, TypeOKCursor, PassPending, IsPending, GoOn, TypeOKReadTs
<1>56. PassedDoesNotMatter'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKCursor, PassPending, IsPending, GoOn, TypeOKReadTs
<1>57. MetDoesNotMatter'
  BY DEF MetDoesNotMatter, ReadIsOfActive, TypeOKCursor, PassPending, IsPending, GoOn, TypeOKReadTs, TypeOKCommitTs
<1>58. LeftDoesNotMatter'
  BY DEF LeftDoesNotMatter, InTime, ReadIsOfActive, TypeOKCursor, PassPending, IsPending, GoOn, TypeOKReadTs, TypeOKWatermark,
       NeverCommits, Visible, Erased, TypeOKCommitted, TypeOKWrites, TypeOKStored
<1>59. HealsCommitted'
  BY DEF HealsCommitted, ReadIsOfActive, TypeOKCommitted, TypeOKCursor, PassPending, IsPending, GoOn
<1>510. SecondLookTells'
  BY DEF SecondLookTells, ReadIsOfActive, TypeOKCommitted, TypeOKCursor, PassPending, IsPending, GoOn, TypeOKCommitTable,
       TypeOKReadTs, TypeOKWatermark
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ RecordsWereWritten' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ AnsweredBefore' /\ TypeOKStatus'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKPrecedes'
      /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>1, <1>4, <1>55, <1>56, <1>57, <1>58, <1>59, <1>510
================================================================================
