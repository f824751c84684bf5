------------------------------ MODULE OmidLLProof ------------------------------
(***************************************************************************)
(* Omid LL's theorem for the TLA+ proof system: its promises hold in each  *)
(* state that can be reached. That each action keeps the invariant is      *)
(* proved in tlaps/. specs/check-tlaps runs tlapm on all of them. See      *)
(* docs/proof.md.                                                          *)
(***************************************************************************)
EXTENDS OmidLLAbort, OmidLLBegin, OmidLLCleanLeftover, OmidLLCleanUp, OmidLLCollectEntry, OmidLLCollectTombstone,
    OmidLLCollectVersion, OmidLLCrash, OmidLLDelayPut, OmidLLEndReadOnly, OmidLLEvict, OmidLLFirst,
    OmidLLGetCommitEntry, OmidLLGetRecord, OmidLLHealCommitCell, OmidLLHealLeftover, OmidLLInspectLeftover,
    OmidLLInvalidatePending, OmidLLLateCommitEntry, OmidLLLatePut, OmidLLLoseEntryAnswer, OmidLLPassPending,
    OmidLLPostCommit, OmidLLPromises, OmidLLRaiseWatermark, OmidLLReReadRecord, OmidLLReadOwnWrite,
    OmidLLRemoveCommitEntry, OmidLLRemoveFalseInvalidation, OmidLLRequestCommit, OmidLLRetryPut, OmidLLWrite,
    OmidLLWriteCommitEntry

-----------------------------------------------------------------------------
(* What follows *)

THEOREM StepsKeep == Kept /\ [Next]_vars => Kept'
<1>1. ASSUME Kept, NEW t \in Txn, ClientStep(t) PROVE Kept'
  BY <1>1, EndReadOnlyKeeps, RequestCommitKeeps, WriteCommitEntryKeeps, RemoveCommitEntryKeeps, GetCommitEntryKeeps,
       HealCommitCellKeeps, PassPendingKeeps, InvalidatePendingKeeps, ReReadRecordKeeps, RemoveFalseInvalidationKeeps,
       RetryPutKeeps, ReadOwnWriteKeeps, GetRecordKeeps, PostCommitKeeps, CleanUpKeeps DEF ClientStep
<1>2. ASSUME Kept, CollectorStep PROVE Kept'
  BY <1>2, RaiseWatermarkKeeps, CollectEntryKeeps, HealLeftoverKeeps, InspectLeftoverKeeps, CleanLeftoverKeeps,
       CollectVersionKeeps, CollectTombstoneKeeps DEF CollectorStep
<1>3. ASSUME Kept, Arrival PROVE Kept'
  BY <1>3, BeginKeeps, LateCommitEntryKeeps, LatePutKeeps, WriteKeeps DEF Arrival
<1>4. ASSUME Kept, Fault PROVE Kept'
  BY <1>4, RollbackKeeps, CrashKeeps, LoseCommitAnswerKeeps, LoseEntryAnswerKeeps, DelayPutKeeps, EvictKeeps DEF Fault
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, StutteringKeeps DEF Next, Step

THEOREM OmidLLKeepsItsPromises == Spec => []Promises
<1>1. Spec => []Kept
  BY HoldsAtFirst, StepsKeep, PTL DEF Spec
<1> QED
  BY <1>1, PromisesFollow, PTL
================================================================================
