------------------------------ MODULE OmidLLLatePut ------------------------------
(***************************************************************************)
(* LatePut keeps the invariant of Omid LL: what it brings back is there,   *)
(* or superfluous, or never commits.                                       *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA LatePutKeeps == \A t \in Txn, k \in Key : Kept /\ LatePut(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, LatePut(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
\* The put names the value only: it writes back the commit cell that is there.
<1>c. commitCell' = commitCell
  BY DEF LatePut, Store, CommitCellAfterPut, TypeOKCommitCell
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                  commitCell, commitTable, watermark, inspected, lateEntries, committed, reads, precedes, faults>>
  BY <1>c DEF LatePut, client, tm, table
<1> USE <1>s
\* Types
<1>t. /\ TypeOKStored'
      /\ TypeOKLatePuts'
  BY DEF TypeOKStored, TypeOKLatePuts, LatePut, Store
\* What the step does
<1>a. /\ k \in writes[t]
      /\ commitTs[t] # NoTs => t \in stored[k] \/ Superfluous(t, k) \/ NeverCommits(t)
      /\ t \in committed => commitTs[t] # NoTs /\ ~NeverCommits(t)
  BY DEF LatePut, RecordsWereWritten, LatePutsBringNothingBack, CommittedCertified, NeverCommits
<1>b. /\ \A x \in Txn, j \in Key : x \in stored[j] => x \in stored'[j]
      /\ \A x \in Txn, j \in Key : x # t \/ j # k => (x \in stored'[j] <=> x \in stored[j])
      /\ \A x \in Txn, j \in Key : <<j, x>> \in latePuts' => <<j, x>> \in latePuts
  BY DEF LatePut, Store, TypeOKStored
<1>d. \A x \in committed, j \in Key : x \in stored'[j] => x \in stored[j] \/ Superfluous(x, j)
  BY <1>a, <1>b DEF TypeOKCommitted
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
\* If t may commit, and is no tombstone, then its record was there.
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>a, <1>b, <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>a, <1>b, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1> USE <1>t, <1>a, <1>b, <1>n, <1>v, <1>su, <1>h
<1>2. RecordsWereWritten'
  BY DEF RecordsWereWritten
<1>31. CommitIsDurable'
  <2> SUFFICES ASSUME NEW x \in committed, NEW j \in Key, x \in stored'[j]
               PROVE commitTable[x] = commitTs[x] \/ commitCell[j][x] = commitTs[x] \/ Superfluous(x, j)'
    BY DEF CommitIsDurable
  <2>1. x \in Txn /\ (x \in stored[j] \/ Superfluous(x, j))
    BY <1>d DEF TypeOKCommitted
  <2> QED
    BY <2>1 DEF CommitIsDurable
<1>32. PostCommitRemembers'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in Key, status[x] = "committed", x \in stored'[j]
               PROVE j \in todo[x] \/ commitCell[j][x] = commitTs[x] \/ Superfluous(x, j)'
    BY DEF PostCommitRemembers
  <2>1. x \in stored[j] \/ Superfluous(x, j)
    BY <1>d DEF ToldCommitted
  <2> QED
    BY <2>1 DEF PostCommitRemembers
<1>33. CertifiedIsStored'
  BY DEF CertifiedIsStored, TypeOKWrites
<1>34. ActiveIsStored'
  BY DEF ActiveIsStored, TypeOKWrites
<1>35. LatePutsBringNothingBack'
  BY DEF LatePutsBringNothingBack
<1>36. InspectedIsSettled'
  BY DEF InspectedIsSettled
<1>5. /\ PassedDoesNotMatter'
      /\ LeftDoesNotMatter'
      /\ SecondLookTells'
  BY DEF PassedDoesNotMatter, LeftDoesNotMatter, ReadIsOfActive, InTime, SecondLookTells
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ CommitCellsTell' /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest' /\ NothingReadIsNothing' /\ ReadIsOfActive'
      /\ MetDoesNotMatter' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs'
      /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark'
      /\ TypeOKInspected' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults'
      /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>5
================================================================================
