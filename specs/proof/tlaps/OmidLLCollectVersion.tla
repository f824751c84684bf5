------------------------------ MODULE OmidLLCollectVersion ------------------------------
(***************************************************************************)
(* CollectVersion keeps the invariant of Omid LL: what goes is hidden by a *)
(* newer version, which stays, and hides what it hid.                      *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA CollectVersionKeeps == \A t \in Txn, k \in Key : Kept /\ CollectVersion(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, CollectVersion(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, commitTable,
                  watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF CollectVersion, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. TypeOKStored' /\ TypeOKCommitCell'
  BY DEF TypeOKStored, TypeOKCommitCell, CollectVersion
\* What the step does: it removes t's record, and no other.
<1>c. /\ \A j \in Key, x \in Txn : x \in stored'[j] <=> x \in stored[j] /\ ~(j = k /\ x = t)
      /\ \A j \in Key, x \in Txn : commitCell'[j][x] = IF j = k /\ x = t THEN NoTs ELSE commitCell[j][x]
  BY DEF TypeOKStored, TypeOKCommitCell, CollectVersion
<1>p. t \in stored[k] /\ <<k, t>> \notin latePuts
  BY DEF CollectVersion, NoPutInFlight
\* The newer version that hides it.
<1>w. PICK w \in committed : /\ w \in stored[k] /\ readTs[t] < readTs[w]
                             /\ commitCell[k][w] = commitTs[w] /\ commitTs[w] < watermark
  <2>1. PICK w \in stored[k] : readTs[t] < readTs[w] /\ commitCell[k][w] # NoTs /\ commitCell[k][w] < watermark
    BY DEF CollectVersion, IsSuperseded
  <2>2. w \in Txn
    BY DEF TypeOKStored
  <2> QED
    BY <2>1, <2>2 DEF CommitCellsTell
<1>x. w \in Txn /\ w # t
  BY <1>w DEF TypeOKCommitted, TypeOKReadTs
<1>y. w \in stored'[k] /\ commitCell'[k][w] = commitTs[w]
  BY <1>c, <1>w, <1>x
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>c, <1>n DEF Superfluous
<1>e. /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in Txn : Healed(x) => Healed(x)'
  BY <1>c, <1>v, <1>su DEF TypeOKCommitted, Erased, Healed
\* What t's version hid the newer one hides.
<1>h. \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in Key, Hidden(x, j) PROVE Hidden(x, j)'
    OBVIOUS
  <2>1. PICK y \in committed : /\ readTs[x] < readTs[y] /\ commitTs[y] < watermark
                               /\ (y \in stored[j] /\ commitCell[j][y] = commitTs[y]) \/ Superfluous(y, j)
    BY DEF Hidden
  <2>2. y \in Txn
    BY DEF TypeOKCommitted
  <2>3. CASE y = t /\ j = k
    <3>1. readTs[x] < readTs[w]
      BY <1>w, <1>x, <2>1, <2>2, <2>3 DEF TypeOKReadTs
    <3> QED
      BY <1>w, <1>y, <2>3, <3>1 DEF Hidden
  <2>4. CASE ~(y = t /\ j = k)
    <3>1. (y \in stored'[j] /\ commitCell'[j][y] = commitTs[y]) \/ Superfluous(y, j)'
      BY <1>c, <1>su, <2>1, <2>2, <2>4
    <3> QED
      BY <2>1, <3>1 DEF Hidden
  <2> QED
    BY <2>3, <2>4
<1>i. Hidden(t, k)'
  BY <1>w, <1>y DEF Hidden
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>e, <1>h
<1>2. CommitCellsTell' /\ RecordsWereWritten'
  BY <1>c DEF CommitCellsTell, RecordsWereWritten
<1>30. CommitIsDurable' /\ PostCommitRemembers'
  BY <1>c DEF CommitIsDurable, PostCommitRemembers, TypeOKCommitted
<1>31. CertifiedIsStored' /\ ActiveIsStored'
  BY <1>c, <1>i DEF CertifiedIsStored, ActiveIsStored, TypeOKWrites
<1>32. LatePutsBringNothingBack'
  BY <1>c, <1>p DEF LatePutsBringNothingBack
<1>33. InspectedIsSettled'
  BY DEF InspectedIsSettled
<1>50. PassedDoesNotMatter'
  BY DEF PassedDoesNotMatter, ReadIsOfActive, TypeOKReadTs
<1>51. LeftDoesNotMatter'
  BY DEF LeftDoesNotMatter, InTime, ReadIsOfActive, TypeOKReadTs, TypeOKWatermark
<1>52. SecondLookTells'
  BY DEF SecondLookTells, ReadIsOfActive
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ IdleDidNothing' /\ EntriesTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ ReadsAreNewest' /\ NothingReadIsNothing' /\ ReadIsOfActive'
      /\ MetDoesNotMatter' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs'
      /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit'
      /\ TypeOKLowWatermark' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries'
      /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
      /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t, <1>2, <1>30, <1>31, <1>32, <1>33, <1>50, <1>51, <1>52
================================================================================
