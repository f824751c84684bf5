------------------------------ MODULE OmidLLBegin ------------------------------
(***************************************************************************)
(* Begin keeps the invariant of Omid LL: who begins has done nothing yet,  *)
(* and its snapshot is later than all timestamps.                          *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA BeginKeeps == \A t \in Txn : Kept /\ Begin(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, Begin(t) PROVE Kept'
  OBVIOUS
<1> USE DEF NoTs, Invalidated
<1>s. UNCHANGED <<commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, stored, commitCell,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, faults>>
  BY DEF Begin, store, table, network
<1>k. /\ TypeOKStatus /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKClock /\ TypeOKWatermark /\ TypeOKCommitted /\ TypeOKPrecedes
      /\ TypeOKDeletes /\ TypeOKWrites /\ TypeOKLateEntries
      /\ GivenByClock /\ BegunHasReadTs /\ CommitTsFollows /\ TimestampsUnique /\ IdleDidNothing
      /\ LateEntriesSent /\ CommittedCertified /\ EntryWhileAsked /\ ToldCommitted
      /\ CommitIsDurable /\ PostCommitRemembers /\ RecordsWereWritten /\ CertifiedIsStored /\ ActiveIsStored
      /\ LatePutsBringNothingBack /\ InspectedIsSettled /\ CertifiedDoNotOverlap
      /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
      /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter
      /\ SecondLookTells /\ AnsweredBefore
  BY DEF Kept, Inductive, TypeOK
<1>b. /\ readTs'[t] = clock + 1 /\ status'[t] = "active" /\ clock' = clock + 1
      /\ precedes'[t] = {a \in Txn : status[a] \in {"committed", "closed"}}
      /\ \A x \in Txn : x # t => readTs'[x] = readTs[x] /\ status'[x] = status[x] /\ precedes'[x] = precedes[x]
  BY <1>k DEF Begin, TypeOKStatus, TypeOKReadTs, TypeOKPrecedes
<1>t. TypeOKStatus' /\ TypeOKReadTs' /\ TypeOKClock' /\ TypeOKPrecedes'
  BY <1>k DEF Begin, TypeOKStatus, TypeOKReadTs, TypeOKPrecedes, TypeOKClock
\* Who begins
<1>i. /\ status[t] = "idle" /\ readTs[t] = 0 /\ commitTs[t] = 0 /\ cursor[t].step = "none"
      /\ writes[t] = {} /\ deletes[t] = {} /\ reads[t] = {} /\ t \notin committed /\ t \notin lateEntries
  BY <1>k DEF Begin, BegunHasReadTs, CommitTsFollows, IdleDidNothing, ReadIsOfActive, TypeOKDeletes, CommittedCertified,
       LateEntriesSent
<1>c. /\ \A x \in Txn : readTs[x] \in Nat /\ commitTs[x] \in Nat /\ readTs[x] <= clock /\ commitTs[x] <= clock
      /\ clock \in Nat /\ watermark \in Nat /\ watermark <= clock + 1 /\ committed \subseteq Txn /\ lateEntries \subseteq Txn
  BY <1>k DEF TypeOKReadTs, TypeOKCommitTs, TypeOKClock, TypeOKWatermark, GivenByClock, TypeOKCommitted, TypeOKLateEntries
\* Words: of it, nothing was said that matters.
<1>n. \A x \in Txn : x # t /\ NeverCommits(x) => NeverCommits(x)'
  BY <1>s, <1>b DEF NeverCommits
<1>v. /\ \A x, j : \A u \in Txn : u # t => (Visible(x, j, u)' <=> Visible(x, j, u))
      /\ \A x, j, u : Visible(x, j, u)' \/ Visible(x, j, u) => x # t
  BY <1>s, <1>b, <1>i DEF Visible
<1>su. \A x \in Txn : \A j : Superfluous(x, j) => x # t /\ Superfluous(x, j)'
  BY <1>s, <1>b, <1>i, <1>n DEF Superfluous
<1>hi. \A x \in Txn : \A j : x # t /\ Hidden(x, j) => Hidden(x, j)'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j, x # t, Hidden(x, j) PROVE Hidden(x, j)'
    OBVIOUS
  <2>1. PICK w \in committed : /\ readTs[x] < readTs[w] /\ commitTs[w] < watermark
                               /\ \/ w \in stored[j] /\ commitCell[j][w] = commitTs[w]
                                  \/ Superfluous(w, j)
    BY DEF Hidden
  <2>2. w \in Txn /\ w # t
    BY <1>i, <1>c
  <2> QED
    BY <2>1, <2>2, <1>s, <1>b, <1>su DEF Hidden
<1>er. \A x \in Txn, u \in Txn : \A j : x # t /\ u # t /\ Erased(x, j, u) => Erased(x, j, u)'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW u \in Txn, NEW j, x # t, u # t, Erased(x, j, u) PROVE Erased(x, j, u)'
    OBVIOUS
  <2>1. CASE Superfluous(x, j)
    BY <2>1, <1>su DEF Erased
  <2>2. ASSUME NEW w \in committed, Visible(w, j, u), readTs[x] < readTs[w], Superfluous(w, j) PROVE Erased(x, j, u)'
    <3>1. w \in Txn /\ w # t
      BY <1>i, <1>c
    <3> QED
      BY <2>2, <3>1, <1>s, <1>b, <1>v, <1>su DEF Erased
  <2> QED
    BY <2>1, <2>2 DEF Erased
<1>he. \A x \in Txn : Healed(x) => Healed(x)'
  BY <1>s, <1>su DEF Healed
\* Conjuncts
<1>11. GivenByClock'
  <2>1. /\ lowWatermark \in Nat /\ lowWatermark <= clock
        /\ \A k \in Key : lastCommit[k] \in Nat /\ lastCommit[k] <= clock
    BY DEF Kept, Inductive, TypeOK, TypeOKLastCommit, TypeOKLowWatermark, GivenByClock
  <2>2. \A x \in Txn : readTs'[x] <= clock + 1 /\ commitTs[x] <= clock + 1
    BY <1>b, <1>c
  <2> QED
    BY <1>s, <1>b, <1>c, <2>1, <2>2 DEF GivenByClock
<1>12. BegunHasReadTs' /\ CommitTsFollows' /\ IdleDidNothing'
  BY <1>s, <1>b, <1>c, <1>i, <1>k DEF BegunHasReadTs, CommitTsFollows, IdleDidNothing
<1>13. TimestampsUnique'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW u \in Txn
               PROVE  /\ x # u /\ readTs'[x] = readTs'[u] => readTs'[x] = NoTs
                      /\ x # u /\ commitTs[x] = commitTs[u] => commitTs[x] = NoTs
                      /\ commitTs[x] = readTs'[u] => commitTs[x] = NoTs
    BY <1>s DEF TimestampsUnique
  <2>1. /\ x # u /\ readTs[x] = readTs[u] => readTs[x] = NoTs
        /\ x # u /\ commitTs[x] = commitTs[u] => commitTs[x] = NoTs
        /\ commitTs[x] = readTs[u] => commitTs[x] = NoTs
    BY <1>k DEF TimestampsUnique
  <2>2. \A y \in Txn : readTs[y] # clock + 1 /\ commitTs[y] # clock + 1
    BY <1>c
  <2> QED
    BY <2>1, <2>2, <1>b
<1>21. LateEntriesSent' /\ CommittedCertified' /\ ToldCommitted'
  BY <1>s, <1>b, <1>c, <1>i, <1>k DEF LateEntriesSent, CommittedCertified, ToldCommitted
<1>22. EntryWhileAsked'
  BY <1>s, <1>b, <1>c, <1>i, <1>k DEF EntryWhileAsked
<1>31. CommitIsDurable'
  BY <1>s, <1>c, <1>su, <1>k DEF CommitIsDurable
<1>32. PostCommitRemembers'
  BY <1>s, <1>b, <1>su, <1>k DEF PostCommitRemembers
<1>33. CertifiedIsStored'
  BY <1>s, <1>i, <1>n, <1>su, <1>hi, <1>k DEF CertifiedIsStored, TypeOKWrites
<1>34. ActiveIsStored'
  BY <1>s, <1>b, <1>i, <1>su, <1>hi, <1>k DEF ActiveIsStored, TypeOKWrites
<1>35. LatePutsBringNothingBack'
  BY <1>s, <1>b, <1>i, <1>n, <1>su, <1>k DEF LatePutsBringNothingBack, RecordsWereWritten
<1>36. InspectedIsSettled'
  BY <1>s, <1>b, <1>i, <1>he, <1>k DEF InspectedIsSettled, RecordsWereWritten
<1>37. CertifiedDoNotOverlap'
  BY <1>s, <1>b, <1>i, <1>k DEF CertifiedDoNotOverlap
<1>41. ReadsAreOfSnapshot'
  BY <1>s, <1>i, <1>v, <1>k DEF ReadsAreOfSnapshot, Value
<1>42. ReadsAreNewest'
  BY <1>s, <1>i, <1>n, <1>v, <1>k DEF ReadsAreNewest
<1>43. NothingReadIsNothing'
  BY <1>s, <1>i, <1>n, <1>v, <1>k DEF NothingReadIsNothing
<1>44. AnsweredBefore'
  <2> SUFFICES ASSUME NEW y \in Txn, NEW a \in precedes'[y]
               PROVE  commitTs[a] < readTs'[y] /\ status'[a] \in {"committed", "closed"}
    BY <1>s DEF AnsweredBefore
  <2>1. CASE y = t
    <3>1. a \in Txn /\ a # t /\ status[a] \in {"committed", "closed"}
      BY <2>1, <1>b, <1>i
    <3> QED
      BY <2>1, <3>1, <1>b, <1>c
  <2>2. CASE y # t
    <3>1. a \in precedes[y] /\ a \in Txn /\ commitTs[a] < readTs[y] /\ status[a] \in {"committed", "closed"}
      BY <2>2, <1>b, <1>k DEF AnsweredBefore, TypeOKPrecedes
    <3> QED
      BY <2>2, <3>1, <1>b, <1>i
  <2> QED
    BY <2>1, <2>2
\* Whoever reads, and whomever it has met, had begun.
<1>50. \A u \in Txn : cursor[u].step # "none" => u # t /\ cursor[u].met \in Txn /\ cursor[u].met # t /\ cursor[u].key \in Key
  BY <1>i, <1>k DEF ReadIsOfActive
<1>51. ReadIsOfActive'
  BY <1>s, <1>b, <1>50, <1>k DEF ReadIsOfActive
<1>52. PassedDoesNotMatter'
  BY <1>s, <1>b, <1>50, <1>n, <1>v, <1>er, <1>k DEF PassedDoesNotMatter
<1>53. MetDoesNotMatter'
  BY <1>s, <1>b, <1>50, <1>n, <1>v, <1>k DEF MetDoesNotMatter
<1>54. LeftDoesNotMatter'
  BY <1>s, <1>b, <1>50, <1>n, <1>v, <1>er, <1>k DEF LeftDoesNotMatter, InTime
<1>55. SecondLookTells'
  BY <1>s, <1>b, <1>50, <1>n, <1>he, <1>k DEF SecondLookTells
\* The rest says nothing of what has changed.
<1>f. /\ EntriesTell' /\ CommitCellsTell' /\ RecordsWereWritten' /\ ConflictsRemembered' /\ HealsCommitted'
      /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads'
      /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames DEF Kept, Inductive, TypeOK
<1> QED
  BY Zenon, <1>f, <1>t, <1>11, <1>12, <1>13, <1>21, <1>22, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>37, <1>41, <1>42,
     <1>43, <1>44, <1>51, <1>52, <1>53, <1>54, <1>55 DEF Kept, Inductive, TypeOK
================================================================================
