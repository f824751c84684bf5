------------------------------ MODULE OmidLLRequestCommit ------------------------------
(***************************************************************************)
(* RequestCommit keeps the invariant of Omid LL, whether the TM refuses or *)
(* gives a commit timestamp: that one is later than each snapshot.         *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA KeptByRefusal == \A t \in Txn : Kept /\ RequestCommit(t) /\ ~(NoConflict(t) /\ AboveLowWatermark(t)) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, RequestCommit(t), ~(NoConflict(t) /\ AboveLowWatermark(t)) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF RequestCommit, store, table, network
<1> USE <1>s
\* What the step does
<1>a. status[t] = "active" /\ cursor[t].step = "none"
  BY DEF RequestCommit, Ready
<1>w1. status' = [status EXCEPT ![t] = "aborted"]
  BY DEF RequestCommit
<1>w2. todo' = [todo EXCEPT ![t] = writes[t]]
  BY DEF RequestCommit
\* Types
<1>t1. TypeOKStatus'
  BY <1>w1 DEF TypeOKStatus
<1>t2. FunTodo'
  BY <1>w2 DEF FunTodo, TypeOKWrites
<1>b1. \A x \in Txn : status'[x] = IF x = t THEN "aborted" ELSE status[x]
  BY <1>w1 DEF TypeOKStatus
<1>b2. \A x \in Txn : todo'[x] = IF x = t THEN writes[x] ELSE todo[x]
  BY <1>w2 DEF FunTodo
<1>b. /\ status'[t] = "aborted" /\ todo'[t] = writes[t]
      /\ \A x \in Txn : x # t => status'[x] = status[x] /\ todo'[x] = todo[x]
  BY <1>b1, <1>b2
<1>t3. TypeOKTodo'
  BY <1>b2 DEF TypeOKTodo
<1>m. commitTs[t] = NoTs /\ t \notin committed /\ t \notin lateEntries
  BY <1>a DEF CommitTsFollows, CommittedCertified, LateEntriesSent
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>a, <1>b DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1> USE <1>a, <1>b, <1>m, <1>n, <1>v, <1>su, <1>h
<1>11. BegunHasReadTs'
  BY DEF BegunHasReadTs
<1>12. CommitTsFollows'
  BY DEF CommitTsFollows
<1>13. IdleDidNothing'
  <2> SUFFICES ASSUME NEW x \in Txn, status'[x] = "idle" PROVE writes[x] = {} /\ reads[x] = {} /\ precedes[x] = {}
    BY DEF IdleDidNothing
  <2> QED
    BY DEF IdleDidNothing
<1>2. /\ LateEntriesSent'
      /\ CommittedCertified'
      /\ EntryWhileAsked'
      /\ ToldCommitted'
  BY DEF LateEntriesSent, TypeOKLateEntries, CommittedCertified, TypeOKCommitted, EntryWhileAsked, ToldCommitted
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
<1>4. /\ ReadsAreNewest'
      /\ NothingReadIsNothing'
      /\ AnsweredBefore'
  BY DEF ReadsAreNewest, NothingReadIsNothing, TypeOKCommitted, AnsweredBefore, TypeOKPrecedes
<1>51. ReadIsOfActive'
  BY DEF ReadIsOfActive
<1>52. /\ PassedDoesNotMatter'
       /\ LeftDoesNotMatter'
  BY DEF PassedDoesNotMatter, LeftDoesNotMatter, ReadIsOfActive, InTime
<1>53. MetDoesNotMatter'
  BY DEF MetDoesNotMatter, ReadIsOfActive
<1>54. SecondLookTells'
  BY DEF SecondLookTells, ReadIsOfActive
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell' /\ RecordsWereWritten' /\ ConflictsRemembered'
      /\ CertifiedDoNotOverlap' /\ ReadsAreOfSnapshot' /\ HealsCommitted' /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites'
      /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark'
      /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts'
      /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes'
      /\ FunUnanswered' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY ONLY <1>f, <1>t1, <1>t2, <1>t3, <1>11, <1>12, <1>13, <1>2, <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>4, <1>51, <1>52,
       <1>53, <1>54
  DEF Kept, Inductive, TypeOK

LEMMA KeptByCommitTs == \A t \in Txn : Kept /\ RequestCommit(t) /\ NoConflict(t) /\ AboveLowWatermark(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, RequestCommit(t), NoConflict(t), AboveLowWatermark(t) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
<1>s. UNCHANGED <<readTs, writes, deletes, unanswered, todo, cursor, lowWatermark, stored, commitCell, commitTable, watermark,
                  inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY DEF RequestCommit, store, table, network
<1> USE <1>s
\* What the step does
<1>a. status[t] = "active" /\ cursor[t].step = "none" /\ unanswered[t] = {}
  BY DEF RequestCommit, Ready, WritesStored
<1>w1. clock' = clock + 1
  BY DEF RequestCommit
<1>w2. commitTs' = [commitTs EXCEPT ![t] = clock + 1]
  BY DEF RequestCommit
<1>w3. lastCommit' = [j \in Key |-> IF j \in writes[t] THEN clock + 1 ELSE lastCommit[j]]
  BY DEF RequestCommit
<1>w4. status' = [status EXCEPT ![t] = "certified"]
  BY DEF RequestCommit
\* Types
<1>t1. TypeOKClock'
  BY <1>w1 DEF TypeOKClock
<1>t2. TypeOKCommitTs'
  BY <1>w2 DEF TypeOKCommitTs, TypeOKClock
<1>t3. TypeOKLastCommit'
  BY <1>w3 DEF TypeOKLastCommit, TypeOKClock
<1>t4. TypeOKStatus'
  BY <1>w4 DEF TypeOKStatus
<1>b1. \A x \in Txn : commitTs'[x] = IF x = t THEN clock + 1 ELSE commitTs[x]
  BY <1>w2 DEF TypeOKCommitTs
<1>b2. \A x \in Txn : status'[x] = IF x = t THEN "certified" ELSE status[x]
  BY <1>w4 DEF TypeOKStatus
<1>b3. \A j \in Key : lastCommit'[j] = IF j \in writes[t] THEN clock + 1 ELSE lastCommit[j]
  BY <1>w3
<1>b. /\ status'[t] = "certified" /\ commitTs'[t] = clock + 1
      /\ \A x \in Txn : x # t => status'[x] = status[x] /\ commitTs'[x] = commitTs[x]
  BY <1>b1, <1>b2
<1>m. commitTs[t] = NoTs /\ t \notin committed /\ t \notin lateEntries
  BY <1>a DEF CommitTsFollows, CommittedCertified, LateEntriesSent
\* The new timestamp is later than all that there are.
<1>k. /\ clock \in Nat /\ watermark \in Nat /\ clock + 1 # NoTs
      /\ \A x \in Txn : readTs[x] \in Nat /\ commitTs[x] \in Nat /\ commitTs'[x] \in Nat
      /\ \A x \in Txn : readTs[x] <= clock /\ commitTs[x] <= clock
      /\ \A x \in Txn : ~(clock + 1 < readTs[x]) /\ clock + 1 # readTs[x] /\ clock + 1 # commitTs[x]
  BY <1>t2 DEF GivenByClock, TypeOKClock, TypeOKReadTs, TypeOKCommitTs, TypeOKWatermark
\* Those who hold a commit timestamp and wrote one of t's keys had it before t began.
<1>o. \A x \in Txn, j \in Key : j \in writes[x] /\ j \in writes[t] /\ commitTs[x] # NoTs => commitTs[x] < readTs[t]
  BY <1>k DEF ConflictsRemembered, NoConflict, AboveLowWatermark, TypeOKLastCommit, TypeOKLowWatermark
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY <1>a, <1>b DEF NeverCommits
\* Nobody sees t yet.
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>b, <1>m, <1>k DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>b, <1>k, <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY Zenon, <1>b, <1>m, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
\* Conjuncts
<1>11. GivenByClock'
  <2>1. watermark <= clock' + 1 /\ lowWatermark <= clock'
    BY <1>w1, <1>k DEF GivenByClock, TypeOKLowWatermark
  <2>2. ASSUME NEW j \in Key PROVE lastCommit'[j] <= clock'
    BY <1>w1, <1>b3, <1>k DEF GivenByClock, TypeOKLastCommit
  <2>3. ASSUME NEW x \in Txn PROVE readTs[x] <= clock' /\ commitTs'[x] <= clock'
    BY <1>w1, <1>b, <1>k
  <2> QED
    BY <2>1, <2>2, <2>3 DEF GivenByClock
<1>12. BegunHasReadTs' /\ IdleDidNothing'
  BY Zenon, <1>a, <1>b DEF BegunHasReadTs, IdleDidNothing
<1>13. CommitTsFollows'
  BY <1>b, <1>k DEF CommitTsFollows
<1>14. TimestampsUnique'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW u \in Txn
               PROVE /\ x # u /\ readTs[x] = readTs[u] => readTs[x] = NoTs
                     /\ x # u /\ commitTs'[x] = commitTs'[u] => commitTs'[x] = NoTs
                     /\ commitTs'[x] = readTs[u] => commitTs'[x] = NoTs
    BY DEF TimestampsUnique
  <2>1. commitTs'[x] = commitTs[x] \/ (x = t /\ commitTs'[x] = clock + 1)
    BY Zenon, <1>b
  <2>2. commitTs'[u] = commitTs[u] \/ (u = t /\ commitTs'[u] = clock + 1)
    BY <1>b
  <2>3. /\ clock + 1 # readTs[u] /\ clock + 1 # commitTs[u] /\ clock + 1 # commitTs[x]
    BY <1>k
  <2>4. /\ x # u /\ readTs[x] = readTs[u] => readTs[x] = NoTs
        /\ x # u /\ commitTs[x] = commitTs[u] => commitTs[x] = NoTs
        /\ commitTs[x] = readTs[u] => commitTs[x] = NoTs
    BY DEF TimestampsUnique
  <2> QED
    BY <2>1, <2>2, <2>3, <2>4
<1>21. EntriesTell'
  BY <1>b, <1>m DEF EntriesTell
<1>22. CommitCellsTell'
  BY <1>b, <1>m DEF CommitCellsTell
<1>23. LateEntriesSent'
  BY <1>b, <1>m DEF LateEntriesSent, TypeOKLateEntries
<1>24. CommittedCertified'
  BY <1>b, <1>m DEF CommittedCertified, TypeOKCommitted
<1>25. EntryWhileAsked'
  BY <1>b, <1>m DEF EntryWhileAsked, TypeOKCommitted
<1>26. ToldCommitted'
  <2> SUFFICES ASSUME NEW x \in Txn
               PROVE /\ status'[x] = "committed" => x \in committed
                     /\ status'[x] = "closed" /\ writes[x] # {} => x \in committed
    BY DEF ToldCommitted
  <2>1. status'[x] \in {"committed", "closed"} => status'[x] = status[x]
    BY <1>b
  <2> QED
    BY <2>1 DEF ToldCommitted
<1>31. CommitIsDurable'
  BY <1>b, <1>m, <1>su DEF CommitIsDurable, TypeOKCommitted
<1>32. PostCommitRemembers'
  BY Zenon, <1>b, <1>su DEF PostCommitRemembers
\* All of t's puts have been answered, so that its records are there.
<1>33. CertifiedIsStored'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in writes[x], commitTs'[x] # NoTs
               PROVE x \in stored[j] \/ Superfluous(x, j)' \/ Hidden(x, j)' \/ NeverCommits(x)'
    BY DEF CertifiedIsStored
  <2>0. j \in Key
    BY DEF TypeOKWrites
  <2>1. CASE x # t
    BY Zenon, <1>b, <1>n, <1>su, <1>h, <2>0, <2>1 DEF CertifiedIsStored
  <2>2. CASE x = t
    <3>1. t \in stored[j] \/ Superfluous(t, j) \/ Hidden(t, j) \/ readTs[t] < watermark
      BY <1>a, <2>2 DEF ActiveIsStored
    <3> QED
      BY <1>m, <1>su, <1>h, <3>1, <2>0, <2>2 DEF NeverCommits
  <2> QED
    BY Zenon, <2>1, <2>2
<1>34. ActiveIsStored'
  BY <1>b, <1>su, <1>h DEF ActiveIsStored, TypeOKWrites
<1>35. LatePutsBringNothingBack'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j \in Key, <<j, x>> \in latePuts
               PROVE /\ commitTs'[x] # NoTs => x \in stored[j] \/ Superfluous(x, j)' \/ NeverCommits(x)'
                     /\ status'[x] = "active" =>
                          x \in stored[j] \/ j \in unanswered[x] \/ Superfluous(x, j)' \/ readTs[x] < watermark
    BY DEF LatePutsBringNothingBack
  <2>1. CASE x # t
    BY <1>b, <1>n, <1>su, <2>1 DEF LatePutsBringNothingBack
  <2>2. CASE x = t
    <3>1. t \in stored[j] \/ Superfluous(t, j) \/ readTs[t] < watermark
      BY <1>a, <2>2 DEF LatePutsBringNothingBack
    <3> QED
      BY <1>b, <1>m, <1>su, <3>1, <2>2 DEF NeverCommits
  <2> QED
    BY Zenon, <2>1, <2>2
<1>36. InspectedIsSettled'
  BY Zenon, <1>m, <1>h DEF InspectedIsSettled
<1>37. ConflictsRemembered'
  BY <1>b, <1>b3, <1>k DEF ConflictsRemembered, GivenByClock, TypeOKLastCommit, TypeOKLowWatermark, TypeOKWrites
<1>38. CertifiedDoNotOverlap'
  BY Zenon, <1>b, <1>k, <1>o DEF CertifiedDoNotOverlap
<1>41. ReadsAreOfSnapshot'
  BY <1>v DEF ReadsAreOfSnapshot, Value
<1>42. ReadsAreNewest'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads[u], NEW x \in Txn, ~r.own, r.from # NoTxn, Visible(x, r.key, u)',
                      commitTs'[r.from] < commitTs'[x]
               PROVE NeverCommits(x)'
    BY DEF ReadsAreNewest
  <2>1. Visible(x, r.key, u)
    BY <1>v
  <2>2. x # t
    BY <1>m, <2>1 DEF Visible
  <2>3. r.from \in Txn /\ r.from # t
    BY <1>m DEF ReadsAreOfSnapshot
  <2>4. commitTs[r.from] < commitTs[x]
    BY <1>b, <2>2, <2>3
  <2> QED
    BY Zenon, <1>n, <2>1, <2>4 DEF ReadsAreNewest
<1>43. NothingReadIsNothing'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads[u], NEW x \in Txn, ~r.own, r.from = NoTxn, Visible(x, r.key, u)',
                      r.key \notin deletes[x]
               PROVE \/ NeverCommits(x)'
                     \/ \E w \in committed : Visible(w, r.key, u)' /\ r.key \in deletes[w] /\ commitTs'[x] < commitTs'[w]
    BY DEF NothingReadIsNothing
  <2>1. Visible(x, r.key, u)
    BY <1>v
  <2>2. x # t
    BY <1>m, <2>1 DEF Visible
  <2>3. NeverCommits(x) \/ \E w \in committed : Visible(w, r.key, u) /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY Zenon, <2>1 DEF NothingReadIsNothing
  <2>4. \A w \in committed : w \in Txn /\ w # t
    BY <1>m DEF TypeOKCommitted
  <2> QED
    BY <1>b, <1>n, <1>v, <2>2, <2>3, <2>4
<1>44. AnsweredBefore'
  <2> SUFFICES ASSUME NEW y \in Txn, NEW x \in precedes[y]
               PROVE commitTs'[x] < readTs[y] /\ status'[x] \in {"committed", "closed"}
    BY DEF AnsweredBefore
  <2>1. x \in Txn
    BY DEF TypeOKPrecedes
  <2>2. commitTs[x] < readTs[y] /\ status[x] \in {"committed", "closed"}
    BY DEF AnsweredBefore
  <2>3. x # t
    BY <1>a, <2>2
  <2> QED
    BY <1>b, <2>1, <2>2, <2>3
<1>51. ReadIsOfActive'
  <2> SUFFICES ASSUME NEW u \in Txn, cursor[u].step # "none"
               PROVE /\ status'[u] = "active"
                     /\ cursor[u].key \in Key /\ cursor[u].met \in Txn
                     /\ cursor[u].key \notin writes[u]
                     /\ cursor[u].key \in writes[cursor[u].met]
                     /\ readTs[cursor[u].met] <= readTs[u]
    BY Zenon DEF ReadIsOfActive
  <2>1. u # t
    BY Zenon, <1>a
  <2> QED
    BY Zenon, <1>b, <2>1 DEF ReadIsOfActive
<1>521. PassedDoesNotMatter'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW x \in Txn, cursor[u].step # "none", Visible(x, cursor[u].key, u)',
                      readTs[cursor[u].met] < readTs[x]
               PROVE NeverCommits(x)' \/ Erased(x, cursor[u].key, u)'
    BY Zenon DEF PassedDoesNotMatter
  <2>0. cursor[u].key \in Key
    BY DEF ReadIsOfActive
  <2>1. Visible(x, cursor[u].key, u)
    BY <1>v
  <2>2. NeverCommits(x) \/ Erased(x, cursor[u].key, u)
    BY <2>1 DEF PassedDoesNotMatter
  <2> QED
    BY Zenon, <1>n, <1>h, <2>0, <2>2
<1>522. LeftDoesNotMatter'
  <2> SUFFICES ASSUME NEW u \in Txn, cursor[u].step = "record", InTime(u)', Visible(cursor[u].met, cursor[u].key, u)'
               PROVE NeverCommits(cursor[u].met)' \/ Erased(cursor[u].met, cursor[u].key, u)'
    BY Zenon DEF LeftDoesNotMatter
  <2>0. cursor[u].met \in Txn /\ cursor[u].key \in Key
    BY Zenon DEF ReadIsOfActive
  <2>1. Visible(cursor[u].met, cursor[u].key, u) /\ InTime(u)
    BY Zenon, <1>v, <2>0 DEF InTime
  <2>2. NeverCommits(cursor[u].met) \/ Erased(cursor[u].met, cursor[u].key, u)
    BY <2>1 DEF LeftDoesNotMatter
  <2> QED
    BY Zenon, <1>n, <1>h, <2>0, <2>2
\* Somebody may have met t's record. Whoever is newer than t and wrote its key holds no commit timestamp: else there is a conflict.
<1>53. MetDoesNotMatter'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW x \in Txn, cursor[u].step # "none", Visible(x, cursor[u].key, u)',
                      readTs[cursor[u].met] < readTs[x]
               PROVE \/ NeverCommits(x)'
                     \/ cursor[u].key \in deletes[cursor[u].met]
                     \/ NeverCommits(cursor[u].met)'
                     \/ commitTs'[cursor[u].met] = NoTs
    BY DEF MetDoesNotMatter
  <2>v. Visible(x, cursor[u].key, u)
    BY Zenon, <1>v
  <2>0. cursor[u].met \in Txn /\ cursor[u].key \in Key /\ cursor[u].key \in writes[cursor[u].met]
    BY Zenon DEF ReadIsOfActive
  <2>1. CASE cursor[u].met # t
    BY Zenon, <1>b, <1>n, <2>v, <2>0, <2>1 DEF MetDoesNotMatter
  <2>2. CASE cursor[u].met = t
    <3>1. commitTs[x] < readTs[t] /\ readTs[x] < commitTs[x]
      BY <1>o, <2>v, <2>0, <2>2 DEF Visible, CommitTsFollows
    <3> QED
      BY <3>1, <1>k, <2>2
  <2> QED
    BY Zenon, <2>1, <2>2
<1>54. SecondLookTells'
  <2> SUFFICES ASSUME NEW u \in Txn, cursor[u].step \in {"reread", "repair"}
               PROVE /\ cursor[u].step = "reread" => cursor[u].met \in committed \/ NeverCommits(cursor[u].met)'
                     /\ cursor[u].step = "repair" => cursor[u].met \in committed
                     /\ cursor[u].met \in committed =>
                         /\ Healed(cursor[u].met)'
                         /\ \/ status'[cursor[u].met] = "closed"
                            \/ readTs[cursor[u].met] < watermark /\ commitTable[cursor[u].met] = NoTs
    BY DEF SecondLookTells
  <2>1. cursor[u].met \in Txn
    BY DEF ReadIsOfActive
  <2>2. cursor[u].met \in committed => status'[cursor[u].met] = status[cursor[u].met]
    BY <1>b, <1>m, <2>1
  <2> QED
    BY <1>n, <1>h, <2>1, <2>2 DEF SecondLookTells
\* The rest says nothing of what has changed.
<1>f. /\ RecordsWereWritten' /\ HealsCommitted' /\ TypeOKReadTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered'
      /\ TypeOKTodo' /\ TypeOKCursor' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKReads'
      /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY ONLY <1>f, <1>t1, <1>t2, <1>t3, <1>t4, <1>11, <1>12, <1>13, <1>14, <1>21, <1>22, <1>23, <1>24, <1>25, <1>26, <1>31, <1>32,
       <1>33, <1>34, <1>35, <1>36, <1>37, <1>38, <1>41, <1>42, <1>43, <1>44, <1>51, <1>521, <1>522, <1>53, <1>54
  DEF Kept, Inductive, TypeOK

LEMMA RequestCommitKeeps == \A t \in Txn : Kept /\ RequestCommit(t) => Kept'
  BY KeptByRefusal, KeptByCommitTs
================================================================================
