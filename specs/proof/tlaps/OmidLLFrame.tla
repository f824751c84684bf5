------------------------------ MODULE OmidLLFrame ------------------------------
(***************************************************************************)
(* What the proofs of Omid LL's actions in the TLA+ proof system begin     *)
(* with: what is kept, and that it is kept by whatever leaves alone the    *)
(* variables of which it speaks. See docs/proof.md.                        *)
(***************************************************************************)
EXTENDS OmidLLInv, TLAPS

ASSUME AssumedOfConstants == Constants

\* What make prove knows of these variables from their annotations: TypeOK says what their values are for each transaction, but
\* not that they are functions of transactions. Without it, a step with EXCEPT could do anything to them.
FunDeletes == deletes \in [Txn -> SUBSET Key]
FunUnanswered == unanswered \in [Txn -> SUBSET Key]
FunTodo == todo \in [Txn -> SUBSET Key]
FunReads == reads \in [Txn -> SUBSET [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]]
FunCommitTable == commitTable \in [Txn -> Int]

Kept == Inductive /\ FunDeletes /\ FunUnanswered /\ FunTodo /\ FunReads /\ FunCommitTable

\* Nothing has changed of which it speaks.
LEMMA Frames ==
    /\ GivenByClock /\ UNCHANGED <<readTs, commitTs, clock, lastCommit, lowWatermark, watermark>> => GivenByClock'
    /\ BegunHasReadTs /\ UNCHANGED <<status, readTs>> => BegunHasReadTs'
    /\ CommitTsFollows /\ UNCHANGED <<status, readTs, commitTs>> => CommitTsFollows'
    /\ TimestampsUnique /\ UNCHANGED <<readTs, commitTs>> => TimestampsUnique'
    /\ IdleDidNothing /\ UNCHANGED <<status, writes, reads, precedes>> => IdleDidNothing'
    /\ EntriesTell /\ UNCHANGED <<commitTs, commitTable, committed>> => EntriesTell'
    /\ CommitCellsTell /\ UNCHANGED <<commitTs, writes, commitCell, committed>> => CommitCellsTell'
    /\ LateEntriesSent /\ UNCHANGED <<status, readTs, commitTs, commitTable, watermark, lateEntries>> => LateEntriesSent'
    /\ CommittedCertified /\ UNCHANGED <<status, commitTs, committed>> => CommittedCertified'
    /\ EntryWhileAsked /\ UNCHANGED <<status, readTs, commitTs, commitTable, watermark, committed>> => EntryWhileAsked'
    /\ ToldCommitted /\ UNCHANGED <<status, writes, committed>> => ToldCommitted'
    /\ CommitIsDurable /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                      lateEntries, committed>> => CommitIsDurable'
    /\ PostCommitRemembers /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, todo, stored, commitCell, commitTable,
                                          watermark, lateEntries, committed>> => PostCommitRemembers'
    /\ RecordsWereWritten /\ UNCHANGED <<writes, stored, inspected, latePuts>> => RecordsWereWritten'
    /\ CertifiedIsStored /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                        lateEntries, committed>> => CertifiedIsStored'
    /\ ActiveIsStored /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, stored, commitCell, commitTable,
                                     watermark, lateEntries, committed>> => ActiveIsStored'
    /\ LatePutsBringNothingBack /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, stored, commitTable,
                                               watermark, latePuts, lateEntries, committed>> => LatePutsBringNothingBack'
    /\ InspectedIsSettled /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                         inspected, lateEntries, committed>> => InspectedIsSettled'
    /\ ConflictsRemembered /\ UNCHANGED <<commitTs, writes, lastCommit, lowWatermark>> => ConflictsRemembered'
    /\ CertifiedDoNotOverlap /\ UNCHANGED <<readTs, commitTs, writes>> => CertifiedDoNotOverlap'
    /\ ReadsAreOfSnapshot /\ UNCHANGED <<readTs, commitTs, writes, deletes, committed, reads>> => ReadsAreOfSnapshot'
    /\ ReadsAreNewest /\ UNCHANGED <<status, readTs, commitTs, writes, commitTable, watermark, lateEntries, committed,
                                     reads>> => ReadsAreNewest'
    /\ NothingReadIsNothing /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, commitTable, watermark, lateEntries,
                                           committed, reads>> => NothingReadIsNothing'
    /\ ReadIsOfActive /\ UNCHANGED <<status, readTs, writes, cursor>> => ReadIsOfActive'
    /\ PassedDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitTable, watermark,
                                          lateEntries, committed>> => PassedDoesNotMatter'
    /\ MetDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, commitTable, watermark, lateEntries,
                                       committed>> => MetDoesNotMatter'
    /\ LeftDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitTable, watermark,
                                        lateEntries, committed>> => LeftDoesNotMatter'
    /\ HealsCommitted /\ UNCHANGED <<cursor, committed>> => HealsCommitted'
    /\ SecondLookTells /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitCell, commitTable,
                                      watermark, lateEntries, committed>> => SecondLookTells'
    /\ AnsweredBefore /\ UNCHANGED <<status, readTs, commitTs, precedes>> => AnsweredBefore'
    /\ TypeOKStatus /\ UNCHANGED <<status>> => TypeOKStatus'
    /\ TypeOKReadTs /\ UNCHANGED <<readTs>> => TypeOKReadTs'
    /\ TypeOKCommitTs /\ UNCHANGED <<commitTs>> => TypeOKCommitTs'
    /\ TypeOKWrites /\ UNCHANGED <<writes>> => TypeOKWrites'
    /\ TypeOKDeletes /\ UNCHANGED <<writes, deletes>> => TypeOKDeletes'
    /\ TypeOKUnanswered /\ UNCHANGED <<writes, unanswered>> => TypeOKUnanswered'
    /\ TypeOKTodo /\ UNCHANGED <<writes, todo>> => TypeOKTodo'
    /\ TypeOKCursor /\ UNCHANGED <<cursor>> => TypeOKCursor'
    /\ TypeOKClock /\ UNCHANGED <<clock>> => TypeOKClock'
    /\ TypeOKLastCommit /\ UNCHANGED <<lastCommit>> => TypeOKLastCommit'
    /\ TypeOKLowWatermark /\ UNCHANGED <<lowWatermark>> => TypeOKLowWatermark'
    /\ TypeOKStored /\ UNCHANGED <<stored>> => TypeOKStored'
    /\ TypeOKCommitCell /\ UNCHANGED <<commitCell>> => TypeOKCommitCell'
    /\ TypeOKCommitTable /\ UNCHANGED <<commitTable>> => TypeOKCommitTable'
    /\ TypeOKWatermark /\ UNCHANGED <<watermark>> => TypeOKWatermark'
    /\ TypeOKInspected /\ UNCHANGED <<inspected>> => TypeOKInspected'
    /\ TypeOKLatePuts /\ UNCHANGED <<latePuts>> => TypeOKLatePuts'
    /\ TypeOKLateEntries /\ UNCHANGED <<lateEntries>> => TypeOKLateEntries'
    /\ TypeOKCommitted /\ UNCHANGED <<committed>> => TypeOKCommitted'
    /\ TypeOKReads /\ UNCHANGED <<reads>> => TypeOKReads'
    /\ TypeOKPrecedes /\ UNCHANGED <<precedes>> => TypeOKPrecedes'
    /\ TypeOKFaults /\ UNCHANGED <<faults>> => TypeOKFaults'
    /\ FunDeletes /\ UNCHANGED <<deletes>> => FunDeletes'
    /\ FunUnanswered /\ UNCHANGED <<unanswered>> => FunUnanswered'
    /\ FunTodo /\ UNCHANGED <<todo>> => FunTodo'
    /\ FunReads /\ UNCHANGED <<reads>> => FunReads'
    /\ FunCommitTable /\ UNCHANGED <<commitTable>> => FunCommitTable'
<1>1. GivenByClock /\ UNCHANGED <<readTs, commitTs, clock, lastCommit, lowWatermark, watermark>> => GivenByClock'
  BY SMTT(20) DEF GivenByClock
<1>2. BegunHasReadTs /\ UNCHANGED <<status, readTs>> => BegunHasReadTs'
  BY SMTT(20) DEF BegunHasReadTs, NoTs
<1>3. CommitTsFollows /\ UNCHANGED <<status, readTs, commitTs>> => CommitTsFollows'
  BY SMTT(20) DEF CommitTsFollows, NoTs
<1>4. TimestampsUnique /\ UNCHANGED <<readTs, commitTs>> => TimestampsUnique'
  BY SMTT(20) DEF TimestampsUnique, NoTs
<1>5. IdleDidNothing /\ UNCHANGED <<status, writes, reads, precedes>> => IdleDidNothing'
  BY SMTT(20) DEF IdleDidNothing
<1>6. EntriesTell /\ UNCHANGED <<commitTs, commitTable, committed>> => EntriesTell'
  BY SMTT(20) DEF EntriesTell, NoTs, Invalidated
<1>7. CommitCellsTell /\ UNCHANGED <<commitTs, writes, commitCell, committed>> => CommitCellsTell'
  BY SMTT(20) DEF CommitCellsTell, NoTs
<1>8. LateEntriesSent /\ UNCHANGED <<status, readTs, commitTs, commitTable, watermark, lateEntries>> => LateEntriesSent'
  BY SMTT(20) DEF LateEntriesSent, NoTs, Invalidated
<1>9. CommittedCertified /\ UNCHANGED <<status, commitTs, committed>> => CommittedCertified'
  BY SMTT(20) DEF CommittedCertified, NoTs
<1>10. EntryWhileAsked /\ UNCHANGED <<status, readTs, commitTs, commitTable, watermark, committed>> => EntryWhileAsked'
  BY SMTT(20) DEF EntryWhileAsked, NoTs
<1>11. ToldCommitted /\ UNCHANGED <<status, writes, committed>> => ToldCommitted'
  BY SMTT(20) DEF ToldCommitted
<1>12. CommitIsDurable /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                      lateEntries, committed>> => CommitIsDurable'
  BY SMTT(20) DEF CommitIsDurable, Superfluous, NoTs, NeverCommits, Invalidated
<1>13. PostCommitRemembers /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, todo, stored, commitCell, commitTable,
                                          watermark, lateEntries, committed>> => PostCommitRemembers'
  BY SMTT(20) DEF PostCommitRemembers, Superfluous, NoTs, NeverCommits, Invalidated
<1>14. RecordsWereWritten /\ UNCHANGED <<writes, stored, inspected, latePuts>> => RecordsWereWritten'
  BY SMTT(20) DEF RecordsWereWritten
<1>15. CertifiedIsStored /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                        lateEntries, committed>> => CertifiedIsStored'
  BY SMTT(20) DEF CertifiedIsStored, NoTs, Superfluous, NeverCommits, Invalidated, Hidden
<1>16. ActiveIsStored /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, stored, commitCell, commitTable,
                                     watermark, lateEntries, committed>> => ActiveIsStored'
  BY SMTT(20) DEF ActiveIsStored, Superfluous, NoTs, NeverCommits, Invalidated, Hidden
<1>17. LatePutsBringNothingBack /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, stored, commitTable,
                                               watermark, latePuts, lateEntries, committed>> => LatePutsBringNothingBack'
  BY SMTT(20) DEF LatePutsBringNothingBack, NoTs, Superfluous, NeverCommits, Invalidated
<1>18. InspectedIsSettled /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, stored, commitCell, commitTable, watermark,
                                         inspected, lateEntries, committed>> => InspectedIsSettled'
  BY SMTT(20) DEF InspectedIsSettled, Healed, NoTs, Superfluous, NeverCommits, Invalidated
<1>19. ConflictsRemembered /\ UNCHANGED <<commitTs, writes, lastCommit, lowWatermark>> => ConflictsRemembered'
  BY SMTT(20) DEF ConflictsRemembered
<1>20. CertifiedDoNotOverlap /\ UNCHANGED <<readTs, commitTs, writes>> => CertifiedDoNotOverlap'
  BY SMTT(20) DEF CertifiedDoNotOverlap, NoTs
<1>21. ReadsAreOfSnapshot /\ UNCHANGED <<readTs, commitTs, writes, deletes, committed, reads>> => ReadsAreOfSnapshot'
  BY SMTT(20) DEF ReadsAreOfSnapshot, Value, Visible, NoTs
<1>22. ReadsAreNewest /\ UNCHANGED <<status, readTs, commitTs, writes, commitTable, watermark, lateEntries, committed,
                                     reads>> => ReadsAreNewest'
  BY SMTT(20) DEF ReadsAreNewest, Visible, NoTs, NeverCommits, Invalidated
<1>23. NothingReadIsNothing /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, commitTable, watermark, lateEntries,
                                           committed, reads>> => NothingReadIsNothing'
  BY SMTT(20) DEF NothingReadIsNothing, Visible, NoTs, NeverCommits, Invalidated
<1>24. ReadIsOfActive /\ UNCHANGED <<status, readTs, writes, cursor>> => ReadIsOfActive'
  BY SMTT(20) DEF ReadIsOfActive
<1>25. PassedDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitTable, watermark,
                                          lateEntries, committed>> => PassedDoesNotMatter'
  BY SMTT(20) DEF PassedDoesNotMatter, Visible, NoTs, NeverCommits, Invalidated, Erased, Superfluous
<1>26. MetDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, commitTable, watermark, lateEntries,
                                       committed>> => MetDoesNotMatter'
  BY SMTT(20) DEF MetDoesNotMatter, Visible, NoTs, NeverCommits, Invalidated
<1>27. LeftDoesNotMatter /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitTable, watermark,
                                        lateEntries, committed>> => LeftDoesNotMatter'
  BY SMTT(20) DEF LeftDoesNotMatter, InTime, Visible, NoTs, NeverCommits, Invalidated, Erased, Superfluous
<1>28. HealsCommitted /\ UNCHANGED <<cursor, committed>> => HealsCommitted'
  BY SMTT(20) DEF HealsCommitted
<1>29. SecondLookTells /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, cursor, stored, commitCell, commitTable,
                                      watermark, lateEntries, committed>> => SecondLookTells'
  BY SMTT(20) DEF SecondLookTells, NeverCommits, Invalidated, Healed, NoTs, Superfluous
<1>30. AnsweredBefore /\ UNCHANGED <<status, readTs, commitTs, precedes>> => AnsweredBefore'
  BY SMTT(20) DEF AnsweredBefore
<1>31. TypeOKStatus /\ UNCHANGED <<status>> => TypeOKStatus'
  BY SMTT(20) DEF TypeOKStatus
<1>32. TypeOKReadTs /\ UNCHANGED <<readTs>> => TypeOKReadTs'
  BY SMTT(20) DEF TypeOKReadTs
<1>33. TypeOKCommitTs /\ UNCHANGED <<commitTs>> => TypeOKCommitTs'
  BY SMTT(20) DEF TypeOKCommitTs
<1>34. TypeOKWrites /\ UNCHANGED <<writes>> => TypeOKWrites'
  BY SMTT(20) DEF TypeOKWrites
<1>35. TypeOKDeletes /\ UNCHANGED <<writes, deletes>> => TypeOKDeletes'
  BY SMTT(20) DEF TypeOKDeletes
<1>36. TypeOKUnanswered /\ UNCHANGED <<writes, unanswered>> => TypeOKUnanswered'
  BY SMTT(20) DEF TypeOKUnanswered
<1>37. TypeOKTodo /\ UNCHANGED <<writes, todo>> => TypeOKTodo'
  BY SMTT(20) DEF TypeOKTodo
<1>38. TypeOKCursor /\ UNCHANGED <<cursor>> => TypeOKCursor'
  BY SMTT(20) DEF TypeOKCursor
<1>39. TypeOKClock /\ UNCHANGED <<clock>> => TypeOKClock'
  BY SMTT(20) DEF TypeOKClock
<1>40. TypeOKLastCommit /\ UNCHANGED <<lastCommit>> => TypeOKLastCommit'
  BY SMTT(20) DEF TypeOKLastCommit
<1>41. TypeOKLowWatermark /\ UNCHANGED <<lowWatermark>> => TypeOKLowWatermark'
  BY SMTT(20) DEF TypeOKLowWatermark
<1>42. TypeOKStored /\ UNCHANGED <<stored>> => TypeOKStored'
  BY SMTT(20) DEF TypeOKStored
<1>43. TypeOKCommitCell /\ UNCHANGED <<commitCell>> => TypeOKCommitCell'
  BY SMTT(20) DEF TypeOKCommitCell
<1>44. TypeOKCommitTable /\ UNCHANGED <<commitTable>> => TypeOKCommitTable'
  BY SMTT(20) DEF TypeOKCommitTable, Invalidated
<1>45. TypeOKWatermark /\ UNCHANGED <<watermark>> => TypeOKWatermark'
  BY SMTT(20) DEF TypeOKWatermark
<1>46. TypeOKInspected /\ UNCHANGED <<inspected>> => TypeOKInspected'
  BY SMTT(20) DEF TypeOKInspected
<1>47. TypeOKLatePuts /\ UNCHANGED <<latePuts>> => TypeOKLatePuts'
  BY SMTT(20) DEF TypeOKLatePuts
<1>48. TypeOKLateEntries /\ UNCHANGED <<lateEntries>> => TypeOKLateEntries'
  BY SMTT(20) DEF TypeOKLateEntries
<1>49. TypeOKCommitted /\ UNCHANGED <<committed>> => TypeOKCommitted'
  BY SMTT(20) DEF TypeOKCommitted
<1>50. TypeOKReads /\ UNCHANGED <<reads>> => TypeOKReads'
  BY SMTT(20) DEF TypeOKReads
<1>51. TypeOKPrecedes /\ UNCHANGED <<precedes>> => TypeOKPrecedes'
  BY SMTT(20) DEF TypeOKPrecedes
<1>52. TypeOKFaults /\ UNCHANGED <<faults>> => TypeOKFaults'
  BY SMTT(20) DEF TypeOKFaults
<1>53. FunDeletes /\ UNCHANGED <<deletes>> => FunDeletes'
  BY SMTT(20) DEF FunDeletes
<1>54. FunUnanswered /\ UNCHANGED <<unanswered>> => FunUnanswered'
  BY SMTT(20) DEF FunUnanswered
<1>55. FunTodo /\ UNCHANGED <<todo>> => FunTodo'
  BY SMTT(20) DEF FunTodo
<1>56. FunReads /\ UNCHANGED <<reads>> => FunReads'
  BY SMTT(20) DEF FunReads
<1>57. FunCommitTable /\ UNCHANGED <<commitTable>> => FunCommitTable'
  BY SMTT(20) DEF FunCommitTable
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, <1>5, <1>6, <1>7, <1>8, <1>9, <1>10, <1>11, <1>12, <1>13, <1>14, <1>15, <1>16, <1>17, <1>18, <1>19,
       <1>20, <1>21, <1>22, <1>23, <1>24, <1>25, <1>26, <1>27, <1>28, <1>29, <1>30, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36,
       <1>37, <1>38, <1>39, <1>40, <1>41, <1>42, <1>43, <1>44, <1>45, <1>46, <1>47, <1>48, <1>49, <1>50, <1>51, <1>52, <1>53,
       <1>54, <1>55, <1>56, <1>57

\* Nothing happens.
LEMMA StutteringKeeps == Kept /\ UNCHANGED vars => Kept'
<1> SUFFICES ASSUME Kept, UNCHANGED vars PROVE Kept'
  OBVIOUS
<1>1. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                  stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                  precedes, faults>>
  BY DEF vars, client, tm, store, table, network
<1> QED
  BY Zenon, <1>1, Frames DEF Kept, Inductive, TypeOK
================================================================================
