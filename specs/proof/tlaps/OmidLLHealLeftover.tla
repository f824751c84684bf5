------------------------------ MODULE OmidLLHealLeftover ------------------------------
(***************************************************************************)
(* HealLeftover keeps the invariant of Omid LL: the new commit cell is the *)
(* entry, which tells the truth.                                           *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA HealLeftoverKeeps == \A t \in Txn, k \in Key : Kept /\ HealLeftover(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, HealLeftover(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF HealLeftover, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>e. commitTable[t] = commitTs[t] /\ t \in committed
  BY DEF HealLeftover, EntriesTell
<1>t. TypeOKCommitCell'
  BY <1>e DEF TypeOKCommitCell, HealLeftover, TypeOKCommitTs
\* No commit cell is lost, and the new one tells the truth.
<1>c. /\ \A j \in Key, x \in Txn : commitCell[j][x] # NoTs => commitCell'[j][x] = commitCell[j][x]
      /\ \A j \in Key, x \in Txn : commitCell'[j][x] = commitCell[j][x] \/ (j = k /\ x = t /\ commitCell'[j][x] = commitTs[t])
  BY <1>e DEF TypeOKCommitCell, HealLeftover
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
  BY <1>t, <1>c, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed, CommittedCertified
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>h
<1>2. CommitCellsTell'
  <2>1. k \in writes[t]
    BY DEF HealLeftover, RecordsWereWritten
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in Key, commitCell'[j][x] # NoTs
               PROVE commitCell'[j][x] = commitTs[x] /\ x \in committed /\ j \in writes[x]
    BY DEF CommitCellsTell
  <2>2. CASE commitCell'[j][x] = commitCell[j][x]
    BY <2>2 DEF CommitCellsTell
  <2>3. CASE j = k /\ x = t /\ commitCell'[j][x] = commitTs[t]
    BY <1>e, <2>1, <2>3
  <2> QED
    BY <1>c, <2>2, <2>3
<1>3. /\ CommitIsDurable'
      /\ PostCommitRemembers'
      /\ CertifiedIsStored'
      /\ ActiveIsStored'
      /\ InspectedIsSettled'
  BY <1>c DEF CommitIsDurable, TypeOKCommitted, PostCommitRemembers, CertifiedIsStored, TypeOKWrites, ActiveIsStored,
       TypeOKReadTs, TypeOKWatermark, InspectedIsSettled, CommitTsFollows, CommittedCertified
<1>5. SecondLookTells'
  BY DEF SecondLookTells, CommitTsFollows, ReadIsOfActive, TypeOKCommitted, TypeOKCommitTable, TypeOKReadTs, TypeOKCommitTs,
       TypeOKWatermark
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ RecordsWereWritten'
      /\ LatePutsBringNothingBack' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest'
      /\ NothingReadIsNothing' /\ ReadIsOfActive' /\ PassedDoesNotMatter' /\ MetDoesNotMatter' /\ LeftDoesNotMatter'
      /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes'
      /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark'
      /\ TypeOKStored' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>3, <1>5
================================================================================
