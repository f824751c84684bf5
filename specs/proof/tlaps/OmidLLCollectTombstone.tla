------------------------------ MODULE OmidLLCollectTombstone ------------------------------
(***************************************************************************)
(* CollectTombstone keeps the invariant of Omid LL: the tombstone that     *)
(* goes is superfluous, and stays so.                                      *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA CollectTombstoneKeeps == \A t \in Txn, k \in Key : Kept /\ CollectTombstone(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, CollectTombstone(t, k) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, commitTable,
                  watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF CollectTombstone, client, tm, store, table, network
<1> USE <1>s
\* Types
<1>t. TypeOKStored' /\ TypeOKCommitCell'
  BY DEF TypeOKStored, TypeOKCommitCell, CollectTombstone
\* What the step does: it removes t's record, and no other.
<1>c. /\ \A j \in Key, x \in Txn : x \in stored'[j] <=> x \in stored[j] /\ ~(j = k /\ x = t)
      /\ \A j \in Key, x \in Txn : commitCell'[j][x] = IF j = k /\ x = t THEN NoTs ELSE commitCell[j][x]
  BY DEF TypeOKStored, TypeOKCommitCell, CollectTombstone
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>c, <1>n DEF Superfluous
\* The tombstone is superfluous: no older record is stored, and none of a younger transaction is in t's snapshot.
<1>i. Superfluous(t, k) /\ Superfluous(t, k)'
  <2>1. k \in deletes[t] /\ \A w \in stored[k] : readTs[t] <= readTs[w]
    BY DEF CollectTombstone, IsTombstone, HidesNothing
  <2>2. \A w \in Txn : w \in stored[k] /\ commitTs[w] # NoTs => ~(commitTs[w] < readTs[t])
    BY <2>1 DEF CommitTsFollows, TypeOKReadTs, TypeOKCommitTs
  <2>3. Superfluous(t, k)
    BY <2>1, <2>2 DEF Superfluous
  <2> QED
    BY <2>3, <1>su
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in Txn : Healed(x) => Healed(x)'
  BY <1>c, <1>i, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1> USE <1>t, <1>n, <1>v, <1>su, <1>h
<1>2. CommitCellsTell' /\ RecordsWereWritten'
  BY <1>c DEF CommitCellsTell, RecordsWereWritten
<1>30. CommitIsDurable' /\ PostCommitRemembers'
  BY <1>c DEF CommitIsDurable, PostCommitRemembers, TypeOKCommitted
<1>31. CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
  BY <1>c, <1>i DEF CertifiedIsStored, ActiveIsStored, LatePutsBringNothingBack, TypeOKWrites
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
  BY <1>f, <1>t, <1>2, <1>30, <1>31, <1>33, <1>50, <1>51, <1>52
================================================================================
