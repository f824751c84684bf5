------------------------------ MODULE OmidLLGetRecord ------------------------------
(***************************************************************************)
(* GetRecord keeps the invariant of Omid LL: what the traversal passes is  *)
(* not stored, and so is not needed, or was passed before.                 *)
(***************************************************************************)
EXTENDS OmidLLReading

\* The traversal of k begins, or goes on below the record that was met last.
Traverses(t, k) ==
    /\ status[t] = "active" /\ k \notin writes[t]
    /\ cursor[t].step = "none" \/ (cursor[t].step = "record" /\ cursor[t].key = k)

\* Nothing that the reader has passed or left matters.
LEMMA LeftBehind ==
    ASSUME Kept, NEW t \in Txn, NEW k \in Key, InTime(t), cursor[t].step = "record", cursor[t].key = k,
           NEW x \in Txn, Visible(x, k, t), ~(readTs[x] < readTs[cursor[t].met])
    PROVE  NeverCommits(x) \/ Erased(x, k, t)
<1>i. /\ TypeOKReadTs /\ ReadIsOfActive /\ PassedDoesNotMatter /\ LeftDoesNotMatter /\ BegunHasReadTs /\ CommitTsFollows
      /\ TimestampsUnique
  BY Zenon DEF Kept, Inductive, TypeOK
<1>1. PICK m : m = cursor[t].met
  OBVIOUS
<1>2. m \in Txn
  BY <1>i, <1>1 DEF ReadIsOfActive
<1>3. readTs[x] \in Nat /\ readTs[m] \in Nat
  BY <1>i, <1>2 DEF TypeOKReadTs
<1>4. CASE readTs[m] < readTs[x]
  BY <1>i, <1>1, <1>4 DEF PassedDoesNotMatter
<1>5. CASE readTs[m] = readTs[x]
  <2>1. readTs[x] # NoTs
    BY <1>i DEF BegunHasReadTs, CommitTsFollows, Visible
  <2>2. x = m
    BY <1>i, <1>2, <1>5, <2>1 DEF TimestampsUnique
  <2> QED
    BY <1>i, <1>1, <2>2 DEF LeftDoesNotMatter
<1> QED
  BY <1>1, <1>3, <1>4, <1>5

\* What is below something erased is erased, too.
LEMMA ErasedBelow ==
    ASSUME Kept, NEW t \in Txn, NEW k \in Key, NEW x \in Txn, NEW w \in Txn,
           w \in committed, Visible(w, k, t), readTs[x] < readTs[w], Erased(w, k, t)
    PROVE  Erased(x, k, t)
<1>i. TypeOKCommitted /\ TypeOKReadTs
  BY Zenon DEF Kept, Inductive, TypeOK
<1>1. CASE Superfluous(w, k)
  BY <1>1 DEF Erased
<1>2. CASE \E u \in committed : Visible(u, k, t) /\ readTs[w] < readTs[u] /\ Superfluous(u, k)
  <2>1. PICK u \in committed : Visible(u, k, t) /\ readTs[w] < readTs[u] /\ Superfluous(u, k)
    BY <1>2
  <2>2. u \in Txn
    BY <1>i DEF TypeOKCommitted
  <2>3. readTs[x] \in Nat /\ readTs[w] \in Nat /\ readTs[u] \in Nat
    BY <1>i, <2>2 DEF TypeOKReadTs
  <2>4. readTs[x] < readTs[u]
    BY <2>1, <2>3
  <2> QED
    BY <2>1, <2>4 DEF Erased
<1> QED
  BY <1>1, <1>2 DEF Erased

\* Whatever is in the snapshot is among the records that are left, or below one of them, or does not matter.
LEMMA LeftOrBelow ==
    ASSUME Kept, NEW t \in Txn, NEW k \in Key, InTime(t), Traverses(t, k), NEW x \in Txn, Visible(x, k, t)
    PROVE  \/ NeverCommits(x)
           \/ Erased(x, k, t)
           \/ x \in OlderRecords(t, k)
           \/ \E w \in OlderRecords(t, k) : readTs[x] < readTs[w]
<1>i. /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWatermark /\ TypeOKCommitted /\ TypeOKDeletes /\ CommitTsFollows
      /\ CertifiedIsStored /\ CommittedCertified /\ RecordsWereWritten
  BY Zenon DEF Kept, Inductive, TypeOK
<1>ts. \A u \in Txn : readTs[u] \in Nat /\ commitTs[u] \in Nat /\ (commitTs[u] # NoTs => readTs[u] < commitTs[u])
  BY <1>i DEF TypeOKReadTs, TypeOKCommitTs, CommitTsFollows
<1>wm. watermark \in Nat /\ watermark <= readTs[t]
  BY <1>i DEF InTime, TypeOKWatermark
\* It holds for whatever is stored.
<1>1. ASSUME NEW u \in Txn, u \in stored[k], Visible(u, k, t), u \notin OlderRecords(t, k)
      PROVE  NeverCommits(u) \/ Erased(u, k, t)
  <2>1. readTs[u] <= readTs[t]
    BY <1>1, <1>ts DEF Visible
  <2>2. cursor[t].step = "record" /\ cursor[t].key = k /\ ~(readTs[u] < readTs[cursor[t].met])
    BY <1>1, <2>1 DEF OlderRecords, IsBelowLast, Traverses
  <2> QED
    BY <1>1, <2>2, LeftBehind
<1>2. CASE x \in stored[k]
  BY <1>1, <1>2
<1>3. CASE x \notin stored[k]
  <2>1. Superfluous(x, k) \/ Hidden(x, k) \/ NeverCommits(x)
    BY <1>i, <1>3 DEF CertifiedIsStored, Visible
  <2>2. CASE Superfluous(x, k)
    BY <2>2 DEF Erased
  <2>3. CASE Hidden(x, k)
    <3>1. PICK w \in committed :
            /\ readTs[x] < readTs[w] /\ commitTs[w] < watermark
            /\ \/ w \in stored[k] /\ commitCell[k][w] = commitTs[w]
               \/ Superfluous(w, k)
      BY <2>3 DEF Hidden
    <3>2. w \in Txn /\ commitTs[w] # NoTs /\ ~NeverCommits(w)
      BY <1>i DEF TypeOKCommitted, CommittedCertified, NeverCommits
    <3>3. k \in writes[w]
      BY Zenon, <1>i, <3>1, <3>2 DEF TypeOKDeletes, RecordsWereWritten, Superfluous
    <3>4. commitTs[w] < readTs[t]
      BY <1>ts, <1>wm, <3>1, <3>2
    <3>5. Visible(w, k, t)
      BY <3>2, <3>3, <3>4 DEF Visible
    <3>6. CASE Superfluous(w, k)
      BY <3>1, <3>5, <3>6 DEF Erased
    <3>7. CASE w \in stored[k] /\ w \in OlderRecords(t, k)
      BY <3>1, <3>7
    <3>8. CASE w \in stored[k] /\ w \notin OlderRecords(t, k)
      <4>1. Erased(w, k, t)
        BY <1>1, <3>2, <3>5, <3>8
      <4> QED
        BY <3>1, <3>2, <3>5, <4>1, ErasedBelow
    <3> QED
      BY <3>1, <3>6, <3>7, <3>8
  <2> QED
    BY <2>1, <2>2, <2>3
<1> QED
  BY <1>2, <1>3

\* The tombstone that has erased x was superfluous: below it is no value that may commit.
LEMMA NoValueBelow ==
    ASSUME Kept, NEW t \in Txn, NEW k \in Key, NEW x \in Txn, NEW w \in Txn, Visible(x, k, t), Erased(x, k, t),
           readTs[w] < readTs[x], w \in stored[k], k \in writes[w], k \notin deletes[w], commitTs[w] # NoTs
    PROVE  NeverCommits(w)
<1>i. TypeOKCommitted /\ TypeOKReadTs /\ VersionsInOrder
  BY Zenon, InOrder DEF Kept, Inductive, TypeOK
<1>1. PICK s \in Txn : Superfluous(s, k) /\ Visible(s, k, t) /\ (s = x \/ readTs[x] < readTs[s])
  BY <1>i DEF Erased, TypeOKCommitted
<1>2. readTs[w] \in Nat /\ readTs[x] \in Nat /\ readTs[s] \in Nat
  BY <1>i DEF TypeOKReadTs
<1>3. readTs[w] < readTs[s]
  BY <1>1, <1>2
<1>4. commitTs[w] < readTs[s]
  BY <1>i, <1>1, <1>3 DEF VersionsInOrder, Visible
<1> QED
  BY <1>1, <1>4 DEF Superfluous

-----------------------------------------------------------------------------

LEMMA GetRecordKeeps == \A t \in Txn, k \in Key : Kept /\ GetRecord(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, GetRecord(t, k) PROVE Kept'
  OBVIOUS
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF GetRecord, tm, store, table, network
<1>o. OnlyReads /\ \A x \in committed : Healed(x) => Healed(x)'
  <2>1. OnlyReads
    BY <1>s DEF OnlyReads
  <2> QED
    BY <1>s, <2>1, HealedStays
<1>i. TypeOKReadTs /\ TypeOKStored /\ RecordsWereWritten /\ ReadIsOfActive /\ CommitCellsTell
  BY Zenon DEF Kept, Inductive, TypeOK
<1>a. /\ InTime(t)
      /\ \/ OlderRecords(t, k) = {} /\ Return(t, k, NoTxn)
         \/ \E w \in OlderRecords(t, k) :
                /\ IsNewest(w, OlderRecords(t, k))
                /\ IF commitCell[k][w] # NoTs THEN Decide(t, k, w, commitCell[k][w]) ELSE GoOn(t, k, w, "entry")
  BY DEF GetRecord
<1>b. Traverses(t, k)
  BY <1>i DEF GetRecord, Ready, IsOwnWrite, Traverses, ReadIsOfActive
\* There is no record left: nothing is in the snapshot, or nothing but what was erased.
<1>1. ASSUME OlderRecords(t, k) = {} /\ Return(t, k, NoTxn) PROVE ReadPart'
  <2>1. ASSUME NEW x \in Txn, Visible(x, k, t) PROVE NeverCommits(x) \/ Erased(x, k, t)
    BY <1>1, <1>a, <1>b, <2>1, LeftOrBelow
  <2>2. ASSUME NEW x \in Txn, Visible(x, k, t), k \notin deletes[x], ~NeverCommits(x)
        PROVE  \E w \in committed : Visible(w, k, t) /\ k \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY <2>1, <2>2, ErasedByTombstone
  <2>3. MayReturn(t, k, NoTxn)
    BY <1>b, <2>2 DEF MayReturn, Traverses
  <2> QED
    BY <1>1, <1>o, <2>3, KeptByReturn
\* The newest of them is met.
<1>2. ASSUME NEW w \in OlderRecords(t, k), IsNewest(w, OlderRecords(t, k)),
             IF commitCell[k][w] # NoTs THEN Decide(t, k, w, commitCell[k][w]) ELSE GoOn(t, k, w, "entry")
      PROVE  ReadPart'
  <2>1. w \in stored[k] /\ w \in Txn /\ k \in writes[w]
    BY Zenon, <1>i DEF OlderRecords, TypeOKStored, RecordsWereWritten
  <2>2. \A u \in Txn : readTs[u] \in Nat
    BY <1>i DEF TypeOKReadTs
  <2>3. readTs[w] <= readTs[t]
    <3>1. CASE cursor[t].step = "none"
      BY <3>1 DEF OlderRecords
    <3>2. CASE cursor[t].step = "record"
      <4>1. cursor[t].met \in Txn /\ readTs[cursor[t].met] <= readTs[t]
        BY <1>i, <3>2 DEF ReadIsOfActive
      <4>2. readTs[w] < readTs[cursor[t].met]
        BY <3>2 DEF OlderRecords, IsBelowLast
      <4> QED
        BY <2>1, <2>2, <4>1, <4>2
    <3> QED
      BY <1>b, <3>1, <3>2 DEF Traverses
  <2>4. Passed(t, k, w)
    <3>1. SUFFICES ASSUME NEW x \in Txn, Visible(x, k, t), readTs[w] < readTs[x], ~NeverCommits(x)
                   PROVE  /\ Erased(x, k, t)
                          /\ k \in deletes[w] \/ NeverCommits(w) \/ commitTs[w] = NoTs
      BY DEF Passed
    <3>2. \A u \in OlderRecords(t, k) : u \in Txn /\ readTs[u] <= readTs[w]
      BY <1>i, <1>2 DEF IsNewest, OlderRecords, TypeOKStored
    <3>3. x \notin OlderRecords(t, k) /\ ~\E u \in OlderRecords(t, k) : readTs[x] < readTs[u]
      BY <2>1, <2>2, <3>1, <3>2
    <3>4. Erased(x, k, t)
      BY <1>a, <1>b, <3>1, <3>3, LeftOrBelow
    <3> QED
      BY <2>1, <3>1, <3>4, NoValueBelow
  <2>5. MayMeet(t, k, w)
    BY <1>b, <2>1, <2>3, <2>4 DEF MayMeet, Traverses
  <2>6. CASE commitCell[k][w] # NoTs
    <3>1. commitCell[k][w] = commitTs[w] /\ w \in committed
      BY <1>i, <2>1, <2>6 DEF CommitCellsTell
    <3>2. Decide(t, k, w, commitTs[w])
      BY <1>2, <2>6, <3>1
    <3> QED
      BY <1>o, <2>5, <3>1, <3>2, KeptByDecide
  <2>7. CASE commitCell[k][w] = NoTs
    <3>1. GoOn(t, k, w, "entry")
      BY <1>2, <2>7
    <3>2. MayTake(t, k, w, "entry")
      BY DEF MayTake
    <3> QED
      BY <1>o, <2>5, <3>1, <3>2, KeptByGoOn
  <2> QED
    BY <2>6, <2>7
<1>r. ReadPart'
  BY <1>1, <1>2, <1>a
\* The rest says nothing of what has changed.
<1> USE DEF Kept, Inductive, TypeOK
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ RecordsWereWritten' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ AnsweredBefore' /\ TypeOKStatus'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable' /\ TypeOKWatermark'
      /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKPrecedes' /\ TypeOKFaults'
      /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY Zenon, <1>f, <1>r DEF ReadPart
================================================================================
