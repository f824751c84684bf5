------------------------------ MODULE OmidLLWrite ------------------------------
(***************************************************************************)
(* Write keeps the invariant of Omid LL: who still writes holds no commit  *)
(* timestamp, so that its record matters to nobody yet.                    *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA WriteKeeps == \A t \in Txn, k \in Key, content \in Contents : Kept /\ Write(t, k, content) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, NEW content \in Contents, Kept, Write(t, k, content) PROVE Kept'
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK, NoTs, Invalidated, NoRead
\* The put names the value only: it writes back the commit cell that is there.
<1>c. commitCell' = commitCell
  BY DEF Write, Store, CommitCellAfterPut, TypeOKCommitCell
<1>s. UNCHANGED <<status, readTs, commitTs, unanswered, todo, cursor, clock, lastCommit, lowWatermark, commitCell,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
  BY <1>c DEF Write, tm, table, network
<1> USE <1>s
\* What the step does
<1>a. status[t] = "active" /\ cursor[t].step = "none" /\ commitTs[t] = NoTs /\ t \notin committed /\ k \notin writes[t]
  BY DEF Write, Track, Ready, CommitTsFollows, CommittedCertified
<1>w1. writes' = [writes EXCEPT ![t] = @ \cup {k}]
  BY DEF Write, Track, Store
<1>w2. deletes' = [deletes EXCEPT ![t] = @ \cup {k}] \/ deletes' = deletes
  BY DEF Write, Track, Store
<1>w3. stored' = [stored EXCEPT ![k] = @ \cup {t}]
  BY DEF Write, Track, Store
\* Types
<1>t1. TypeOKWrites'
  BY <1>w1 DEF TypeOKWrites
<1>t2. FunDeletes'
  <2>1. CASE deletes' = [deletes EXCEPT ![t] = @ \cup {k}]
    BY <2>1 DEF FunDeletes
  <2>2. CASE deletes' = deletes
    BY <2>2 DEF FunDeletes
  <2> QED
    BY <1>w2, <2>1, <2>2
<1>t3. TypeOKStored'
  BY <1>w3 DEF TypeOKStored
\* What belongs to whom afterwards
<1>b1. \A x \in Txn : writes'[x] = IF x = t THEN writes[x] \cup {k} ELSE writes[x]
  BY <1>w1 DEF TypeOKWrites
<1>b2. \A x \in Txn : deletes'[x] = deletes[x] \/ (x = t /\ deletes'[x] = deletes[x] \cup {k})
  <2>1. CASE deletes' = [deletes EXCEPT ![t] = @ \cup {k}]
    BY <2>1 DEF FunDeletes
  <2>2. CASE deletes' = deletes
    BY <2>2
  <2> QED
    BY <1>w2, <2>1, <2>2
<1>b3. \A j \in Key : stored'[j] = IF j = k THEN stored[j] \cup {t} ELSE stored[j]
  BY <1>w3 DEF TypeOKStored
<1>b. /\ \A x \in Txn : \A j : j \in writes'[x] <=> j \in writes[x] \/ (x = t /\ j = k)
      /\ \A x \in Txn : \A j : j \in deletes[x] => j \in deletes'[x]
      /\ \A x \in Txn : \A j : j \in deletes'[x] => j \in deletes[x] \/ (x = t /\ j = k)
      /\ \A x \in Txn, j \in Key : x \in stored'[j] <=> x \in stored[j] \/ (x = t /\ j = k)
  <2>1. \A x \in Txn : \A j : j \in writes'[x] <=> j \in writes[x] \/ (x = t /\ j = k)
    BY Zenon, <1>b1
  <2>2. \A x \in Txn : \A j : j \in deletes[x] => j \in deletes'[x]
    BY <1>b2
  <2>3. \A x \in Txn : \A j : j \in deletes'[x] => j \in deletes[x] \/ (x = t /\ j = k)
    BY <1>b2
  <2>4. \A x \in Txn, j \in Key : x \in stored'[j] <=> x \in stored[j] \/ (x = t /\ j = k)
    BY Zenon, <1>b3
  <2> QED
    BY <2>1, <2>2, <2>3, <2>4
<1>tt1. TypeOKDeletes'
  BY <1>b DEF TypeOKDeletes
<1>tt2. TypeOKUnanswered'
  BY <1>b DEF TypeOKUnanswered
<1>tt3. TypeOKTodo'
  BY <1>b DEF TypeOKTodo
\* Words
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  BY DEF NeverCommits
<1>v. \A x \in Txn, u \in Txn : \A j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>a, <1>b DEF Visible
<1>su. \A x \in Txn, j \in Key : Superfluous(x, j) => Superfluous(x, j)'
  BY <1>a, <1>b, <1>n DEF Superfluous
<1>h. /\ \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
      /\ \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
      /\ \A x \in committed : Healed(x) => Healed(x)'
  BY <1>a, <1>b, <1>n, <1>v, <1>su DEF Hidden, TypeOKCommitted, Erased, Healed
<1>va. \A x \in Txn : \A j : x # t \/ j # k => Value(x, j)' = Value(x, j)
  BY <1>b DEF Value
\* Conjuncts
<1> USE <1>a, <1>b, <1>n, <1>v, <1>su, <1>h
<1>1. IdleDidNothing'
  BY <1>b1 DEF IdleDidNothing
<1>21. CommitCellsTell'
  BY DEF CommitCellsTell
<1>22. ToldCommitted'
  BY <1>b1 DEF ToldCommitted
<1>23. RecordsWereWritten'
  BY DEF RecordsWereWritten
<1>24. ConflictsRemembered'
  <2> SUFFICES ASSUME NEW x \in Txn, NEW j, j \in writes'[x] PROVE commitTs[x] <= lastCommit[j] \/ commitTs[x] <= lowWatermark
    BY DEF ConflictsRemembered
  <2>1. CASE j \in writes[x]
    BY <2>1 DEF ConflictsRemembered
  <2>2. CASE x = t /\ j = k
    BY <2>2 DEF TypeOKLastCommit
  <2> QED
    BY <2>1, <2>2
<1>25. CertifiedDoNotOverlap'
  BY DEF CertifiedDoNotOverlap
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
<1>41. ReadsAreOfSnapshot'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads[u]
               PROVE IF r.own THEN r.key \in writes'[u] /\ r.from = Value(u, r.key)'
                     ELSE r.from # NoTxn =>
                       /\ r.from \in Txn /\ r.from \in committed /\ Visible(r.from, r.key, u)'
                       /\ r.key \notin deletes'[r.from]
    BY DEF ReadsAreOfSnapshot
  <2>0. IF r.own THEN r.key \in writes[u] /\ r.from = Value(u, r.key)
        ELSE r.from # NoTxn =>
          r.from \in Txn /\ r.from \in committed /\ Visible(r.from, r.key, u) /\ r.key \notin deletes[r.from]
    BY DEF ReadsAreOfSnapshot
  <2>1. CASE r.own
    <3>1. r.key \in writes[u] /\ (u # t \/ r.key # k)
      BY <2>0, <2>1
    <3> QED
      BY <2>0, <2>1, <3>1, <1>va
  <2>2. CASE ~r.own
    BY <2>0, <2>2
  <2> QED
    BY <2>1, <2>2
<1>42. ReadsAreNewest'
  BY DEF ReadsAreNewest
<1>43. NothingReadIsNothing'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads[u], NEW x \in Txn, ~r.own, r.from = NoTxn, Visible(x, r.key, u)',
                      r.key \notin deletes'[x]
               PROVE \/ NeverCommits(x)'
                     \/ \E w \in committed : Visible(w, r.key, u)' /\ r.key \in deletes'[w] /\ commitTs[x] < commitTs[w]
    BY DEF NothingReadIsNothing
  <2>1. Visible(x, r.key, u) /\ r.key \notin deletes[x]
    OBVIOUS
  <2>2. NeverCommits(x) \/ \E w \in committed : Visible(w, r.key, u) /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY <2>1 DEF NothingReadIsNothing
  <2> QED
    BY <2>2 DEF TypeOKCommitted
<1>51. ReadIsOfActive'
  BY Zenon DEF ReadIsOfActive
<1>52. /\ PassedDoesNotMatter'
       /\ LeftDoesNotMatter'
  BY Zenon DEF PassedDoesNotMatter, LeftDoesNotMatter, ReadIsOfActive, InTime
<1>53. MetDoesNotMatter'
  <2> SUFFICES ASSUME NEW u \in Txn, NEW x \in Txn, cursor[u].step # "none", Visible(x, cursor[u].key, u)',
                      readTs[cursor[u].met] < readTs[x]
               PROVE \/ NeverCommits(x)'
                     \/ cursor[u].key \in deletes'[cursor[u].met]
                     \/ NeverCommits(cursor[u].met)'
                     \/ commitTs[cursor[u].met] = NoTs
    BY DEF MetDoesNotMatter
  <2>1. cursor[u].met \in Txn
    BY DEF ReadIsOfActive
  <2>2. Visible(x, cursor[u].key, u)
    OBVIOUS
  <2>3. \/ NeverCommits(x)
        \/ cursor[u].key \in deletes[cursor[u].met]
        \/ NeverCommits(cursor[u].met)
        \/ commitTs[cursor[u].met] = NoTs
    BY <2>2 DEF MetDoesNotMatter
  <2> QED
    BY <2>1, <2>3
<1>54. SecondLookTells'
  BY Zenon DEF SecondLookTells, ReadIsOfActive
\* The rest says nothing of what has changed.
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell' /\ LateEntriesSent'
      /\ CommittedCertified' /\ EntryWhileAsked' /\ HealsCommitted' /\ AnsweredBefore' /\ TypeOKStatus' /\ TypeOKReadTs'
      /\ TypeOKCommitTs' /\ TypeOKCursor' /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKCommitCell'
      /\ TypeOKCommitTable' /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted'
      /\ TypeOKReads' /\ TypeOKPrecedes' /\ TypeOKFaults' /\ FunUnanswered' /\ FunTodo' /\ FunReads' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t1, <1>t2, <1>t3, <1>tt1, <1>tt2, <1>tt3, <1>1, <1>21, <1>22, <1>23, <1>24, <1>25,
       <1>31, <1>32, <1>33, <1>34, <1>35, <1>36, <1>41, <1>42, <1>43, <1>51, <1>52, <1>53, <1>54
================================================================================
