------------------------------ MODULE OmidLLPromises ------------------------------
(***************************************************************************)
(* Omid LL's promises follow from its invariant.                           *)
(***************************************************************************)
EXTENDS OmidLLFrame, LeastNumber

\* A set of transactions whose commit timestamps have a bound has a newest one.
LEMMA HasNewest ==
  ASSUME TypeOKCommitTs, NEW S \in SUBSET Txn, S # {}, NEW n \in Nat, \A w \in S : commitTs[w] < n
  PROVE \E w \in S : \A x \in S : commitTs[x] <= commitTs[w]
<1> DEFINE Gap == {n - commitTs[w] : w \in S}
<1>1. Gap \subseteq Nat /\ Gap # {}
  BY DEF TypeOKCommitTs
<1> HIDE DEF Gap
<1>3. PICK g \in Gap : \A d \in Gap : g <= d
  BY <1>1, HasLeast
<1>4. PICK w \in S : g = n - commitTs[w]
  BY <1>3 DEF Gap
<1>6. ASSUME NEW x \in S PROVE commitTs[x] <= commitTs[w]
  <2>1. g <= n - commitTs[x]
    BY <1>3 DEF Gap
  <2> QED
    BY <2>1, <1>4 DEF TypeOKCommitTs
<1> QED
  BY <1>6

\* Who is done and wrote something has committed.
LEMMA WritersCommitted == Kept => \A k : Writers(k) = {w \in committed : k \in writes[w]}
  BY DEF Kept, Inductive, TypeOK, TypeOKCommitted, Writers, History, Done

\* The newest version of a snapshot is what was read.
LEMMA SnapshotFollows == Kept => Snapshot
<1> SUFFICES ASSUME Kept, NEW t \in Txn, NEW r \in reads[t], ~r.own PROVE r.from = ValueAt(r.key, readTs[t])
  BY DEF Snapshot, History
<1> DEFINE Before == {w \in Writers(r.key) : commitTs[w] < readTs[t]}
<1>0. Before = {w \in committed : r.key \in writes[w] /\ commitTs[w] < readTs[t]}
  BY WritersCommitted
<1>1. ValueAt(r.key, readTs[t]) = IF Before = {} THEN NoTxn
        ELSE Value(CHOOSE w \in Before : \A x \in Before : commitTs[x] <= commitTs[w], r.key)
  BY DEF ValueAt, History, Seen, Value
<1> HIDE DEF Before
<1> USE DEF Kept, Inductive, TypeOK
<1>2. r.from # NoTxn => r.from \in Before /\ r.from \in Txn /\ r.key \notin deletes[r.from]
  BY <1>0 DEF ReadsAreOfSnapshot, Visible
<1>3. CASE Before = {}
  BY <1>1, <1>2, <1>3
<1>4. CASE Before # {}
  <2>1. \E w \in Before : \A x \in Before : commitTs[x] <= commitTs[w]
    <3>1. Before \in SUBSET Txn /\ readTs[t] \in Nat /\ \A w \in Before : commitTs[w] < readTs[t]
      BY <1>0 DEF TypeOKCommitted, TypeOKReadTs
    <3> QED
      BY <3>1, <1>4, HasNewest
  <2> DEFINE c == CHOOSE w \in Before : \A x \in Before : commitTs[x] <= commitTs[w]
  <2>2. c \in Before /\ \A x \in Before : commitTs[x] <= commitTs[c]
    BY <2>1
  <2>3. ValueAt(r.key, readTs[t]) = Value(c, r.key)
    BY <1>1, <1>4
  <2> HIDE DEF c
  <2>4. c \in Txn /\ c \in committed /\ Visible(c, r.key, t) /\ ~NeverCommits(c)
    BY <2>2, <1>0 DEF TypeOKCommitted, Visible, NeverCommits, CommittedCertified
  <2>5. CASE r.from # NoTxn
    <3>1. commitTs[r.from] <= commitTs[c] /\ ~(commitTs[r.from] < commitTs[c])
      BY <1>2, <2>2, <2>4, <2>5 DEF ReadsAreNewest
    <3>2. r.from = c
      BY <3>1, <1>2, <2>4, <2>5 DEF TimestampsUnique, TypeOKCommitTs, Visible
    <3> QED
      BY <3>2, <2>3, <1>2, <2>5 DEF Value
  <2>6. CASE r.from = NoTxn /\ r.key \notin deletes[c]
    <3>1. PICK w \in committed : Visible(w, r.key, t) /\ commitTs[c] < commitTs[w]
      BY <2>4, <2>6 DEF NothingReadIsNothing
    <3>2. w \in Before
      BY <3>1, <1>0 DEF Visible
    <3> QED
      BY <3>1, <3>2, <2>2, <2>4 DEF TypeOKCommitTs, TypeOKCommitted
  <2> QED
    BY <2>3, <2>5, <2>6 DEF Value
<1> QED
  BY <1>3, <1>4

LEMMA PromisesFollow == Kept => Promises
<1> SUFFICES ASSUME Kept PROVE Promises
  OBVIOUS
<1> USE DEF Kept, Inductive, TypeOK
<1>1. Snapshot
  BY SnapshotFollows
<1>2. OwnWrites
  BY DEF OwnWrites, History, Seen, Value, ReadsAreOfSnapshot
<1>3. FirstCommitterWins
  <2> SUFFICES ASSUME NEW a \in Done, NEW b \in Done, a # b, NEW k \in writes[a], k \in writes[b]
               PROVE commitTs[a] < readTs[b] \/ commitTs[b] < readTs[a]
    BY DEF FirstCommitterWins, History
  <2>1. a \in committed /\ b \in committed
    BY DEF Done
  <2>2. a \in Txn /\ b \in Txn /\ k \in Key
    BY <2>1 DEF TypeOKCommitted, TypeOKWrites
  <2> QED
    BY <2>1, <2>2 DEF CertifiedDoNotOverlap, CommittedCertified
<1>4. NoDirtyRead
  BY DEF NoDirtyRead, History, Done, ReadsAreOfSnapshot
<1>5. StrongSI
  BY DEF StrongSI, History, AnsweredBefore
<1>6. AnswersTrue
  BY DEF AnswersTrue, ToldCommitted, CommittedCertified
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, <1>5, <1>6 DEF Promises
================================================================================
