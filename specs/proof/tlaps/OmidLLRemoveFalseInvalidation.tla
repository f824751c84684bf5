------------------------------ MODULE OmidLLRemoveFalseInvalidation ------------------------------
(***************************************************************************)
(* RemoveFalseInvalidation keeps the invariant of Omid LL.                 *)
(***************************************************************************)
EXTENDS OmidLLReadOn

LEMMA RemoveFalseInvalidationKeeps == \A t \in Txn : Kept /\ RemoveFalseInvalidation(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, RemoveFalseInvalidation(t) PROVE Kept'
  OBVIOUS
<1> USE DEF NoTs, Invalidated
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF RemoveFalseInvalidation, tm, store, network
<1>k. /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWatermark /\ TypeOKCommitTable /\ FunCommitTable /\ TypeOKCommitted
      /\ TypeOKLateEntries /\ EntriesTell /\ CommitCellsTell /\ LateEntriesSent /\ CommittedCertified /\ EntryWhileAsked
      /\ CommitIsDurable /\ PostCommitRemembers /\ CertifiedIsStored /\ ActiveIsStored /\ LatePutsBringNothingBack
      /\ InspectedIsSettled /\ ReadIsOfActive /\ SecondLookTells
  BY DEF Kept, Inductive, TypeOK
<1> DEFINE m == cursor[t].met
\* Who was invalidated has committed, and needs no entry.
<1>m. /\ cursor[t].step = "repair" /\ m \in Txn /\ m \in committed /\ Healed(m)
      /\ status[m] = "closed" \/ (readTs[m] < watermark /\ commitTable[m] = NoTs)
  BY <1>k DEF RemoveFalseInvalidation, ReadIsOfActive, SecondLookTells
<1>d. Decide(t, cursor[t].key, m, commitTs[m])
  BY DEF RemoveFalseInvalidation
<1>e. /\ commitTable'[m] = NoTs
      /\ \A x \in Txn : x # m => commitTable'[x] = commitTable[x]
      /\ TypeOKCommitTable' /\ FunCommitTable'
  BY <1>k, <1>m DEF RemoveFalseInvalidation, TypeOKCommitTable, FunCommitTable
<1> HIDE DEF m
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>s, <1>e, <1>m DEF NeverCommits
<1>v. \A x, u, j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>s DEF Visible
<1>su. \A x, j : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>s, <1>n DEF Superfluous
<1>h. /\ \A x, j : Hidden(x, j) => Hidden(x, j)'
      /\ \A x, j, u : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x : Healed(x) => Healed(x)'
  BY <1>s, <1>v, <1>su DEF Hidden, Erased, Healed
\* Conjuncts
<1>21. EntriesTell'
  BY <1>s, <1>e, <1>k DEF EntriesTell
<1>22. LateEntriesSent'
  BY <1>s, <1>e, <1>m, <1>k DEF LateEntriesSent, TypeOKLateEntries, CommittedCertified
<1>23. EntryWhileAsked'
  BY <1>s, <1>e, <1>m, <1>k DEF EntryWhileAsked, TypeOKCommitted
<1>31. CommitIsDurable'
  <2> SUFFICES ASSUME NEW x \in committed, NEW j \in Key, x \in stored[j]
               PROVE  commitTable'[x] = commitTs[x] \/ commitCell[j][x] = commitTs[x] \/ Superfluous(x, j)'
    BY <1>s DEF CommitIsDurable
  <2>1. CASE x = m
    BY <2>1, <1>m, <1>su, <1>k DEF Healed, CommitCellsTell
  <2>2. CASE x # m
    BY <2>2, <1>e, <1>su, <1>k DEF CommitIsDurable, TypeOKCommitted
  <2> QED
    BY <2>1, <2>2
<1>32. PostCommitRemembers'
  BY <1>s, <1>su, <1>k DEF PostCommitRemembers
<1>33. CertifiedIsStored'
  BY <1>s, <1>n, <1>su, <1>h, <1>k DEF CertifiedIsStored
<1>34. ActiveIsStored'
  BY <1>s, <1>su, <1>h, <1>k DEF ActiveIsStored
<1>35. LatePutsBringNothingBack'
  BY <1>s, <1>n, <1>su, <1>k DEF LatePutsBringNothingBack
<1>36. InspectedIsSettled'
  BY <1>s, <1>h, <1>k DEF InspectedIsSettled
<1>4. /\ ReadsKept'
      /\ cursor'[t].step \in {"none", "record"}
      /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
  BY <1>d, <1>m, <1>s, <1>n, <1>h, KeptByDeciding DEF m
<1>5. SecondLookTells'
  <2>u. ASSUME NEW u \in Txn, cursor'[u] = cursor[u]
        PROVE  /\ cursor'[u].step = "reread" => cursor'[u].met \in committed \/ NeverCommits(cursor[u].met)'
               /\ cursor'[u].step = "repair" => cursor'[u].met \in committed
               /\ cursor'[u].step \in {"reread", "repair"} /\ cursor'[u].met \in committed =>
                   /\ Healed(cursor[u].met)'
                   /\ \/ status[cursor'[u].met] = "closed"
                      \/ readTs[cursor'[u].met] < watermark /\ commitTable'[cursor'[u].met] = NoTs
    BY <2>u, <1>n, <1>h, <1>e, <1>k DEF SecondLookTells, ReadIsOfActive
  <2> QED
    BY <1>4, <2>u, <1>s DEF SecondLookTells
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ CommitCellsTell'
      /\ CommittedCertified' /\ ToldCommitted' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap'
      /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes'
      /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored'
      /\ TypeOKCommitCell' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted'
      /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo'
  BY Zenon, <1>s, Frames DEF Kept, Inductive, TypeOK
<1> QED
  BY Zenon, <1>f, <1>e, <1>21, <1>22, <1>23, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>4, <1>5
     DEF Kept, Inductive, TypeOK, ReadsKept
================================================================================
