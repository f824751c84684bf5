------------------------------ MODULE OmidLLFirst ------------------------------
(***************************************************************************)
(* The invariant of Omid LL holds at first.                                *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA HoldsAtFirst == Init => Kept
<1> SUFFICES ASSUME Init PROVE Kept
  OBVIOUS
<1> USE DEF Init, NoTs, Invalidated, NoRead
<1>1. TypeOKStatus
  BY SMTT(10) DEF TypeOKStatus
<1>2. TypeOKReadTs
  BY SMTT(10) DEF TypeOKReadTs
<1>3. TypeOKCommitTs
  BY SMTT(10) DEF TypeOKCommitTs
<1>4. TypeOKWrites
  BY SMTT(10) DEF TypeOKWrites
<1>5. TypeOKDeletes
  BY SMTT(10) DEF TypeOKDeletes
<1>6. TypeOKUnanswered
  BY SMTT(10) DEF TypeOKUnanswered
<1>7. TypeOKTodo
  BY SMTT(10) DEF TypeOKTodo
<1>8. TypeOKCursor
  BY SMTT(10) DEF TypeOKCursor
<1>9. TypeOKClock
  BY SMTT(10) DEF TypeOKClock
<1>10. TypeOKLastCommit
  BY SMTT(10) DEF TypeOKLastCommit
<1>11. TypeOKLowWatermark
  BY SMTT(10) DEF TypeOKLowWatermark
<1>12. TypeOKStored
  BY SMTT(10) DEF TypeOKStored
<1>13. TypeOKCommitCell
  BY SMTT(10) DEF TypeOKCommitCell
<1>14. TypeOKCommitTable
  BY SMTT(10) DEF TypeOKCommitTable
<1>15. TypeOKWatermark
  BY SMTT(10) DEF TypeOKWatermark
<1>16. TypeOKInspected
  BY SMTT(10) DEF TypeOKInspected
<1>17. TypeOKLatePuts
  BY SMTT(10) DEF TypeOKLatePuts
<1>18. TypeOKLateEntries
  BY SMTT(10) DEF TypeOKLateEntries
<1>19. TypeOKCommitted
  BY SMTT(10) DEF TypeOKCommitted
<1>20. TypeOKReads
  BY SMTT(10) DEF TypeOKReads
<1>21. TypeOKPrecedes
  BY SMTT(10) DEF TypeOKPrecedes
<1>22. TypeOKFaults
  BY SMTT(10) DEF TypeOKFaults
<1>23. FunDeletes
  BY SMTT(10) DEF FunDeletes
<1>24. FunUnanswered
  BY SMTT(10) DEF FunUnanswered
<1>25. FunTodo
  BY SMTT(10) DEF FunTodo
<1>26. FunReads
  BY SMTT(10) DEF FunReads
<1>27. FunCommitTable
  BY SMTT(10) DEF FunCommitTable
<1>28. GivenByClock
  BY SMTT(10) DEF GivenByClock
<1>29. BegunHasReadTs
  BY SMTT(10) DEF BegunHasReadTs
<1>30. CommitTsFollows
  BY SMTT(10) DEF CommitTsFollows
<1>31. TimestampsUnique
  BY SMTT(10) DEF TimestampsUnique
<1>32. IdleDidNothing
  BY SMTT(10) DEF IdleDidNothing
<1>33. EntriesTell
  BY SMTT(10) DEF EntriesTell
<1>34. CommitCellsTell
  BY SMTT(10) DEF CommitCellsTell
<1>35. LateEntriesSent
  BY SMTT(10) DEF LateEntriesSent
<1>36. CommittedCertified
  BY SMTT(10) DEF CommittedCertified
<1>37. EntryWhileAsked
  BY SMTT(10) DEF EntryWhileAsked
<1>38. ToldCommitted
  BY SMTT(10) DEF ToldCommitted
<1>39. CommitIsDurable
  BY SMTT(10) DEF CommitIsDurable, Superfluous, NeverCommits
<1>40. PostCommitRemembers
  BY SMTT(10) DEF PostCommitRemembers, Superfluous, NeverCommits
<1>41. RecordsWereWritten
  BY SMTT(10) DEF RecordsWereWritten
<1>42. CertifiedIsStored
  BY SMTT(10) DEF CertifiedIsStored, Superfluous, NeverCommits, Hidden
<1>43. ActiveIsStored
  BY SMTT(10) DEF ActiveIsStored, Superfluous, NeverCommits, Hidden
<1>44. LatePutsBringNothingBack
  BY SMTT(10) DEF LatePutsBringNothingBack, Superfluous, NeverCommits
<1>45. InspectedIsSettled
  BY SMTT(10) DEF InspectedIsSettled, Healed, Superfluous, NeverCommits
<1>46. ConflictsRemembered
  BY SMTT(10) DEF ConflictsRemembered
<1>47. CertifiedDoNotOverlap
  BY SMTT(10) DEF CertifiedDoNotOverlap
<1>48. ReadsAreOfSnapshot
  BY SMTT(10) DEF ReadsAreOfSnapshot, Value, Visible
<1>49. ReadsAreNewest
  BY SMTT(10) DEF ReadsAreNewest, Visible, NeverCommits
<1>50. NothingReadIsNothing
  BY SMTT(10) DEF NothingReadIsNothing, Visible, NeverCommits
<1>51. ReadIsOfActive
  BY SMTT(10) DEF ReadIsOfActive
<1>52. PassedDoesNotMatter
  BY SMTT(10) DEF PassedDoesNotMatter, Visible, NeverCommits, Erased, Superfluous
<1>53. MetDoesNotMatter
  BY SMTT(10) DEF MetDoesNotMatter, Visible, NeverCommits
<1>54. LeftDoesNotMatter
  BY SMTT(10) DEF LeftDoesNotMatter, InTime, Visible, NeverCommits, Erased, Superfluous
<1>55. HealsCommitted
  BY SMTT(10) DEF HealsCommitted
<1>56. SecondLookTells
  BY SMTT(10) DEF SecondLookTells, NeverCommits, Healed, Superfluous
<1>57. AnsweredBefore
  BY SMTT(10) DEF AnsweredBefore
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, <1>5, <1>6, <1>7, <1>8, <1>9, <1>10, <1>11, <1>12, <1>13, <1>14, <1>15, <1>16, <1>17, <1>18, <1>19,
       <1>20, <1>21, <1>22, <1>23, <1>24, <1>25, <1>26, <1>27, <1>28, <1>29, <1>30, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36,
       <1>37, <1>38, <1>39, <1>40, <1>41, <1>42, <1>43, <1>44, <1>45, <1>46, <1>47, <1>48, <1>49, <1>50, <1>51, <1>52, <1>53,
       <1>54, <1>55, <1>56, <1>57 DEF Kept, Inductive, TypeOK
================================================================================
