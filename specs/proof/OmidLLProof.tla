------------------------------ MODULE OmidLLProof ------------------------------
(***************************************************************************)
(* Omid LL's theorem for the TLA+ proof system: how the promises follow    *)
(* from what make prove shows of each action. The lemmas are left to it    *)
(* (OMITTED); the rest is for tlapm, which specs/check-tlaps runs. See     *)
(* docs/proof.md.                                                          *)
(***************************************************************************)
EXTENDS OmidLLInv, TLAPS

ASSUME AssumedOfConstants == Constants

-----------------------------------------------------------------------------
(* What make prove shows *)

LEMMA HoldsAtFirst == Init => Inductive
  OMITTED

LEMMA PromisesFollow == Inductive => Promises
  OMITTED

\* Nothing happens.
LEMMA StutteringKeeps == Inductive /\ UNCHANGED vars => Inductive'
  OMITTED

\* Each action keeps the invariant.
LEMMA EndReadOnlyKeeps == \A t \in Txn : Inductive /\ EndReadOnly(t) => Inductive'
  OMITTED

LEMMA RequestCommitKeeps == \A t \in Txn : Inductive /\ RequestCommit(t) => Inductive'
  OMITTED

LEMMA WriteCommitEntryKeeps == \A t \in Txn : Inductive /\ WriteCommitEntry(t) => Inductive'
  OMITTED

LEMMA RemoveCommitEntryKeeps == \A t \in Txn : Inductive /\ RemoveCommitEntry(t) => Inductive'
  OMITTED

LEMMA GetCommitEntryKeeps == \A t \in Txn : Inductive /\ GetCommitEntry(t) => Inductive'
  OMITTED

LEMMA HealCommitCellKeeps == \A t \in Txn : Inductive /\ HealCommitCell(t) => Inductive'
  OMITTED

LEMMA InvalidatePendingKeeps == \A t \in Txn : Inductive /\ InvalidatePending(t) => Inductive'
  OMITTED

LEMMA ReReadRecordKeeps == \A t \in Txn : Inductive /\ ReReadRecord(t) => Inductive'
  OMITTED

LEMMA PassPendingKeeps == \A t \in Txn : Inductive /\ PassPending(t) => Inductive'
  OMITTED

LEMMA RemoveFalseInvalidationKeeps == \A t \in Txn : Inductive /\ RemoveFalseInvalidation(t) => Inductive'
  OMITTED

LEMMA CollectEntryKeeps == \A t \in Txn : Inductive /\ CollectEntry(t) => Inductive'
  OMITTED

LEMMA BeginKeeps == \A t \in Txn : Inductive /\ Begin(t) => Inductive'
  OMITTED

LEMMA LateCommitEntryKeeps == \A t \in Txn : Inductive /\ LateCommitEntry(t) => Inductive'
  OMITTED

LEMMA RollbackKeeps == \A t \in Txn : Inductive /\ Rollback(t) => Inductive'
  OMITTED

LEMMA CrashKeeps == \A t \in Txn : Inductive /\ Crash(t) => Inductive'
  OMITTED

LEMMA LoseCommitAnswerKeeps == \A t \in Txn : Inductive /\ LoseCommitAnswer(t) => Inductive'
  OMITTED

LEMMA LoseEntryAnswerKeeps == \A t \in Txn : Inductive /\ LoseEntryAnswer(t) => Inductive'
  OMITTED

LEMMA RetryPutKeeps == \A t \in Txn, k \in Key : Inductive /\ RetryPut(t, k) => Inductive'
  OMITTED

LEMMA ReadOwnWriteKeeps == \A t \in Txn, k \in Key : Inductive /\ ReadOwnWrite(t, k) => Inductive'
  OMITTED

LEMMA GetRecordKeeps == \A t \in Txn, k \in Key : Inductive /\ GetRecord(t, k) => Inductive'
  OMITTED

LEMMA PostCommitKeeps == \A t \in Txn, k \in Key : Inductive /\ PostCommit(t, k) => Inductive'
  OMITTED

LEMMA CleanUpKeeps == \A t \in Txn, k \in Key : Inductive /\ CleanUp(t, k) => Inductive'
  OMITTED

LEMMA HealLeftoverKeeps == \A t \in Txn, k \in Key : Inductive /\ HealLeftover(t, k) => Inductive'
  OMITTED

LEMMA InspectLeftoverKeeps == \A t \in Txn, k \in Key : Inductive /\ InspectLeftover(t, k) => Inductive'
  OMITTED

LEMMA CleanLeftoverKeeps == \A t \in Txn, k \in Key : Inductive /\ CleanLeftover(t, k) => Inductive'
  OMITTED

LEMMA CollectVersionKeeps == \A t \in Txn, k \in Key : Inductive /\ CollectVersion(t, k) => Inductive'
  OMITTED

LEMMA CollectTombstoneKeeps == \A t \in Txn, k \in Key : Inductive /\ CollectTombstone(t, k) => Inductive'
  OMITTED

LEMMA LatePutKeeps == \A t \in Txn, k \in Key : Inductive /\ LatePut(t, k) => Inductive'
  OMITTED

LEMMA WriteKeeps == \A t \in Txn, k \in Key, content \in Contents : Inductive /\ Write(t, k, content) => Inductive'
  OMITTED

LEMMA DelayPutKeeps == \A t \in Txn, k \in Key, content \in Contents : Inductive /\ DelayPut(t, k, content) => Inductive'
  OMITTED

LEMMA EvictKeeps == \A k \in Key : Inductive /\ Evict(k) => Inductive'
  OMITTED

LEMMA RaiseWatermarkKeeps == Inductive /\ RaiseWatermark => Inductive'
  OMITTED

-----------------------------------------------------------------------------
(* What follows *)

THEOREM StepsKeep == Inductive /\ [Next]_vars => Inductive'
<1>1. ASSUME Inductive, NEW t \in Txn, ClientStep(t) PROVE Inductive'
  BY <1>1, EndReadOnlyKeeps, RequestCommitKeeps, WriteCommitEntryKeeps, RemoveCommitEntryKeeps, GetCommitEntryKeeps,
       HealCommitCellKeeps, PassPendingKeeps, InvalidatePendingKeeps, ReReadRecordKeeps, RemoveFalseInvalidationKeeps, RetryPutKeeps,
       ReadOwnWriteKeeps, GetRecordKeeps, PostCommitKeeps, CleanUpKeeps DEF ClientStep
<1>2. ASSUME Inductive, CollectorStep PROVE Inductive'
  BY <1>2, RaiseWatermarkKeeps, CollectEntryKeeps, HealLeftoverKeeps, InspectLeftoverKeeps, CleanLeftoverKeeps,
       CollectVersionKeeps, CollectTombstoneKeeps DEF CollectorStep
<1>3. ASSUME Inductive, Arrival PROVE Inductive'
  BY <1>3, BeginKeeps, LateCommitEntryKeeps, LatePutKeeps, WriteKeeps DEF Arrival
<1>4. ASSUME Inductive, Fault PROVE Inductive'
  BY <1>4, RollbackKeeps, CrashKeeps, LoseCommitAnswerKeeps, LoseEntryAnswerKeeps, DelayPutKeeps, EvictKeeps DEF Fault
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, StutteringKeeps DEF Next, Step

THEOREM OmidLLKeepsItsPromises == Spec => []Promises
<1>1. Spec => []Inductive
  BY HoldsAtFirst, StepsKeep, PTL DEF Spec
<1> QED
  BY <1>1, PromisesFollow, PTL
================================================================================
