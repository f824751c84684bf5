------------------------------ MODULE OmidLLRetryPut ------------------------------
(***************************************************************************)
(* RetryPut keeps the invariant of Omid LL: who still writes holds no      *)
(* commit timestamp, so that its record matters to nobody yet.             *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA RetryPutKeeps == \A t \in Txn, k \in Key : Kept /\ RetryPut(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, RetryPut(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
\* The put names the value only: it writes back the commit cell that is there.
<1>c. commitCell' = commitCell
  BY DEF RetryPut, Store, CommitCellAfterPut, TypeOKCommitCell
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, todo, cursor, clock, lastCommit, lowWatermark, commitCell,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY <1>c DEF RetryPut, tm, table, network
<1> USE <1>s
\* Types
<1>t. /\ TypeOKUnanswered'
      /\ TypeOKStored'
      /\ FunUnanswered'
  BY DEF TypeOKUnanswered, FunUnanswered, TypeOKStored, RetryPut, Store
\* What the step does
<1>a. status[t] = "active" /\ commitTs[t] = NoTs /\ t \notin committed /\ k \in writes[t]
  BY DEF RetryPut, Ready, CommitTsFollows, CommittedCertified, TypeOKUnanswered
<1>b. /\ t \in stored'[k]
      /\ \A x \in Txn, j \in Key : x \in stored[j] => x \in stored'[j]
      /\ \A x \in Txn, j \in Key : x # t \/ j # k => (x \in stored'[j] <=> x \in stored[j])
      /\ \A x \in Txn, j \in Key : j \in unanswered[x] => j \in unanswered'[x] \/ (x = t /\ j = k)
  BY DEF RetryPut, Store, TypeOKStored, FunUnanswered
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
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
  BY DEF CommitIsDurable, TypeOKCommitted
<1>32. PostCommitRemembers'
  BY DEF PostCommitRemembers
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
      /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit'
      /\ TypeOKLowWatermark' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts'
      /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>5
================================================================================
