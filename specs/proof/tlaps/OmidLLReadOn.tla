------------------------------ MODULE OmidLLReadOn ------------------------------
(***************************************************************************)
(* Steps of a read that is in progress, for actions that may change the    *)
(* commit table, too: when a read returns what it has met, and when it     *)
(* goes on, the conjuncts about reads stay.                                *)
(***************************************************************************)
EXTENDS OmidLLReading

\* The reader has met a committed record of its snapshot: whatever is newer there never commits, or a tombstone is newer still.
LEMMA MetIsRight ==
  ASSUME Kept, NEW t \in Txn, cursor[t].step # "none", cursor[t].met \in committed,
         commitTs[cursor[t].met] < readTs[t]
  PROVE  /\ Visible(cursor[t].met, cursor[t].key, t)
         /\ cursor[t].key \notin deletes[cursor[t].met] =>
                \A x \in Txn : Visible(x, cursor[t].key, t) /\ commitTs[cursor[t].met] < commitTs[x] => NeverCommits(x)
         /\ cursor[t].key \in deletes[cursor[t].met] =>
                \A x \in Txn : Visible(x, cursor[t].key, t) /\ cursor[t].key \notin deletes[x] =>
                    \/ NeverCommits(x)
                    \/ \E w \in committed :
                        Visible(w, cursor[t].key, t) /\ cursor[t].key \in deletes[w] /\ commitTs[x] < commitTs[w]
<1> DEFINE k == cursor[t].key
           m == cursor[t].met
<1>k. /\ TypeOKReadTs /\ TypeOKCommitTs /\ CommitTsFollows /\ TypeOKCommitted /\ TimestampsUnique
      /\ ReadIsOfActive /\ CommittedCertified /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ VersionsInOrder
  BY InOrder DEF Kept, Inductive, TypeOK
<1>1. /\ m \in Txn /\ k \in Key /\ k \in writes[m] /\ m \in committed
      /\ commitTs[m] # NoTs /\ commitTs[m] < readTs[t]
  BY <1>k DEF ReadIsOfActive, CommittedCertified
<1>5. ASSUME NEW x \in Txn, Visible(x, k, t), readTs[m] < readTs[x]
      PROVE  /\ NeverCommits(x) \/ Erased(x, k, t)
             /\ NeverCommits(x) \/ k \in deletes[m] \/ NeverCommits(m) \/ commitTs[m] = NoTs
  BY <1>5, <1>k DEF PassedDoesNotMatter, MetDoesNotMatter
<1> HIDE DEF k, m
<1>2. Visible(m, k, t) /\ ~NeverCommits(m)
  BY <1>1 DEF Visible, NeverCommits
<1>3. /\ \A x \in Txn : readTs[x] \in Nat /\ commitTs[x] \in Nat
      /\ \A x \in Txn : commitTs[x] # NoTs => readTs[x] < commitTs[x]
      /\ committed \subseteq Txn
      /\ \A x \in Txn, y \in Txn : x # y /\ commitTs[x] = commitTs[y] => commitTs[x] = NoTs
  BY <1>k DEF TypeOKReadTs, TypeOKCommitTs, CommitTsFollows, TypeOKCommitted, TimestampsUnique
<1>4. ASSUME NEW x \in Txn, Visible(x, k, t), commitTs[m] < commitTs[x] PROVE readTs[m] < readTs[x]
  <2>1. commitTs[m] < readTs[x]
    BY <1>1, <1>4, <1>k DEF VersionsInOrder, Visible
  <2> QED
    BY <2>1, <1>1, <1>3
<1>6. ASSUME k \notin deletes[m], NEW x \in Txn, Visible(x, k, t), commitTs[m] < commitTs[x] PROVE NeverCommits(x)
  BY <1>1, <1>2, <1>4, <1>5, <1>6
<1>7. ASSUME k \in deletes[m], NEW x \in Txn, Visible(x, k, t), k \notin deletes[x], ~NeverCommits(x)
      PROVE \E w \in committed : Visible(w, k, t) /\ k \in deletes[w] /\ commitTs[x] < commitTs[w]
  <2>1. CASE commitTs[x] < commitTs[m]
    BY <2>1, <1>1, <1>2, <1>7
  <2>2. CASE ~(commitTs[x] < commitTs[m])
    <3>1. x # m /\ commitTs[x] # commitTs[m]
      BY <1>1, <1>3, <1>7 DEF Visible
    <3>2. readTs[m] < readTs[x]
      BY <3>1, <2>2, <1>1, <1>3, <1>4, <1>7
    <3>3. Erased(x, k, t) /\ ~Superfluous(x, k)
      BY <3>2, <1>5, <1>7 DEF Superfluous
    <3>4. PICK w \in committed : Visible(w, k, t) /\ readTs[x] < readTs[w] /\ Superfluous(w, k)
      BY <3>3 DEF Erased
    <3>5. commitTs[x] < readTs[w]
      BY <3>4, <1>1, <1>3, <1>7, <1>k DEF VersionsInOrder, Visible
    <3>6. w \in Txn /\ commitTs[w] # NoTs /\ k \in deletes[w]
      BY <3>4, <1>3 DEF Visible, Superfluous
    <3>7. commitTs[x] < commitTs[w]
      BY <3>5, <3>6, <1>3
    <3> QED
      BY <3>4, <3>6, <3>7
  <2> QED
    BY <2>1, <2>2
<1> QED
  BY <1>2, <1>6, <1>7 DEF k, m

\* A committed record that the reader finds without its commit cell, or not at all, when it looks again, is a superfluous
\* tombstone, or below one: if it was hidden by a newer one, that one has been passed.
LEMMA UnseenIsErased ==
  ASSUME Kept, NEW t \in Txn, cursor[t].step # "none", InTime(t), cursor[t].met \in committed,
         Visible(cursor[t].met, cursor[t].key, t), Healed(cursor[t].met),
         ~SawCommitCell(cursor[t].key, cursor[t].met)
  PROVE  Erased(cursor[t].met, cursor[t].key, t)
<1> DEFINE k == cursor[t].key
           m == cursor[t].met
<1>k. /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWatermark /\ TypeOKDeletes /\ TypeOKCommitted /\ RecordsWereWritten
      /\ ReadIsOfActive /\ CommittedCertified /\ PassedDoesNotMatter /\ CertifiedIsStored
  BY DEF Kept, Inductive, TypeOK
<1>1. /\ m \in Txn /\ k \in Key /\ k \in writes[m] /\ m \in committed /\ Visible(m, k, t) /\ Healed(m) /\ ~SawCommitCell(k, m)
  BY <1>k DEF ReadIsOfActive
<1>p. \A x \in Txn : Visible(x, k, t) /\ readTs[m] < readTs[x] => NeverCommits(x) \/ Erased(x, k, t)
  BY <1>k DEF PassedDoesNotMatter
<1> HIDE DEF k, m
<1>2. /\ \A x \in Txn : readTs[x] \in Nat /\ commitTs[x] \in Nat
      /\ watermark \in Nat /\ watermark <= readTs[t]
      /\ committed \subseteq Txn
      /\ \A x \in committed : commitTs[x] # NoTs /\ ~NeverCommits(x)
      /\ \A x \in Txn : x \in stored[k] \/ Superfluous(x, k) => k \in writes[x]
  BY <1>1, <1>k DEF TypeOKReadTs, TypeOKCommitTs, TypeOKWatermark, InTime, TypeOKDeletes, TypeOKCommitted, CommittedCertified,
       NeverCommits, RecordsWereWritten, Superfluous
<1>3. Superfluous(m, k) \/ Hidden(m, k)
  <2>1. m \in stored[k] => Superfluous(m, k)
    BY <1>1 DEF Healed, SawCommitCell
  <2>2. m \in stored[k] \/ Superfluous(m, k) \/ Hidden(m, k) \/ NeverCommits(m)
    BY <1>1, <1>2, <1>k DEF CertifiedIsStored
  <2> QED
    BY <2>1, <2>2, <1>1, <1>2
<1>4. CASE Superfluous(m, k)
  BY <1>4 DEF Erased, k, m
<1>5. CASE Hidden(m, k)
  <2>1. PICK w \in committed : /\ readTs[m] < readTs[w] /\ commitTs[w] < watermark
                               /\ w \in stored[k] \/ Superfluous(w, k)
    BY <1>5 DEF Hidden
  <2>2. w \in Txn /\ Visible(w, k, t)
    <3>1. w \in Txn /\ k \in writes[w] /\ commitTs[w] # NoTs
      BY <2>1, <1>2
    <3>2. commitTs[w] < readTs[t]
      BY <2>1, <3>1, <1>2
    <3> QED
      BY <3>1, <3>2 DEF Visible
  <2>3. Erased(w, k, t)
    BY <2>1, <2>2, <1>2, <1>p
  <2>4. CASE Superfluous(w, k)
    BY <2>1, <2>2, <2>4 DEF Erased, k, m
  <2>5. ASSUME NEW v \in committed, Visible(v, k, t), readTs[w] < readTs[v], Superfluous(v, k) PROVE Erased(m, k, t)
    <3>1. readTs[m] < readTs[v]
      BY <2>1, <2>2, <2>5, <1>1, <1>2
    <3> QED
      BY <3>1, <2>5 DEF Erased
  <2> QED
    BY <2>3, <2>4, <2>5 DEF Erased, k, m
<1> QED
  BY <1>3, <1>4, <1>5

\* The conjuncts that speak of what is read, but for SecondLookTells.
ReadsKept ==
    /\ TypeOKCursor /\ TypeOKReads /\ FunReads /\ IdleDidNothing
    /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
    /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted

\* A read goes on: of what it leaves, there is something to show.
LEMMA KeptByGoingOn ==
  ASSUME Kept, NEW t \in Txn, cursor[t].step # "none",
         NEW s \in {"record", "entry", "heal", "pending", "reread", "repair"},
         GoOn(t, cursor[t].key, cursor[t].met, s),
         UNCHANGED <<status, readTs, commitTs, writes, deletes, watermark, committed, precedes>>,
         \A x \in Txn : NeverCommits(x) => NeverCommits(x)',
         \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)',
         s = "record" /\ InTime(t) /\ Visible(cursor[t].met, cursor[t].key, t) =>
             NeverCommits(cursor[t].met) \/ Erased(cursor[t].met, cursor[t].key, t),
         s = "heal" => cursor[t].met \in committed
  PROVE  /\ ReadsKept'
         /\ cursor'[t] = [step |-> s, key |-> cursor[t].key, met |-> cursor[t].met]
         /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
<1>k. /\ TypeOKCursor /\ TypeOKReads /\ FunReads /\ IdleDidNothing
      /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
      /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted
      /\ committed \subseteq Txn
  BY DEF Kept, Inductive, TypeOK, TypeOKCommitted
<1>n. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
  OBVIOUS
<1>e. \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
  OBVIOUS
<1>c. /\ cursor'[t] = [step |-> s, key |-> cursor[t].key, met |-> cursor[t].met]
      /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
      /\ UNCHANGED reads
      /\ TypeOKCursor'
  BY <1>k DEF GoOn, TypeOKCursor, ReadIsOfActive
<1>p. \A u \in Txn : /\ cursor'[u].key = cursor[u].key /\ cursor'[u].met = cursor[u].met
                     /\ cursor'[u].step # "none" => cursor[u].step # "none"
  BY <1>c
<1>v. \A x, u, j : Visible(x, j, u)' <=> Visible(x, j, u)
  BY DEF Visible
<1>r. \A u \in Txn : cursor'[u].step # "none" => cursor[u].key \in Key /\ cursor[u].met \in Txn
  BY <1>k, <1>p DEF ReadIsOfActive
<1>1. TypeOKReads' /\ FunReads' /\ IdleDidNothing' /\ ReadsAreOfSnapshot'
  BY Zenon, <1>c, <1>k, Frames
<1>2. ReadsAreNewest'
  BY <1>c, <1>k, <1>v DEF ReadsAreNewest
<1>3. NothingReadIsNothing'
  BY <1>c, <1>k, <1>v DEF NothingReadIsNothing
<1>4. ReadIsOfActive'
  BY <1>p, <1>k DEF ReadIsOfActive
<1>5. PassedDoesNotMatter'
  BY <1>p, <1>k, <1>v, <1>r DEF PassedDoesNotMatter
<1>6. MetDoesNotMatter'
  BY <1>p, <1>k, <1>v, <1>r DEF MetDoesNotMatter
<1>7. LeftDoesNotMatter'
  <2> SUFFICES ASSUME NEW u \in Txn, cursor'[u].step = "record", InTime(u)', Visible(cursor[u].met, cursor[u].key, u)'
               PROVE  NeverCommits(cursor[u].met)' \/ Erased(cursor[u].met, cursor[u].key, u)'
    BY DEF LeftDoesNotMatter
  <2> DEFINE j == cursor[u].key
             x == cursor[u].met
  <2>1. InTime(u) /\ Visible(x, j, u) /\ j \in Key /\ x \in Txn
    BY <1>p, <1>v, <1>r DEF InTime
  <2>2. NeverCommits(x) \/ Erased(x, j, u)
    <3>1. CASE u = t
      BY <2>1, <3>1, <1>c
    <3>2. CASE u # t
      BY <2>1, <3>2, <1>c, <1>k DEF LeftDoesNotMatter
    <3> QED
      BY <3>1, <3>2
  <2> QED
    BY <2>1, <2>2, <1>n, <1>e, <1>p
<1>8. HealsCommitted'
  BY <1>c, <1>k DEF HealsCommitted
<1> QED
  BY <1>c, <1>1, <1>2, <1>3, <1>4, <1>5, <1>6, <1>7, <1>8 DEF ReadsKept

\* A read that has met a committed record returns it, or goes on since it is too young.
LEMMA KeptByDeciding ==
  ASSUME Kept, NEW t \in Txn, cursor[t].step # "none", cursor[t].met \in committed,
         Decide(t, cursor[t].key, cursor[t].met, commitTs[cursor[t].met]),
         UNCHANGED <<status, readTs, commitTs, writes, deletes, watermark, committed, precedes>>,
         \A x \in Txn : NeverCommits(x) => NeverCommits(x)',
         \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
  PROVE  /\ ReadsKept'
         /\ cursor'[t].step \in {"none", "record"}
         /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
<1> DEFINE k == cursor[t].key
           m == cursor[t].met
<1>1. CASE ~CommittedBefore(commitTs[m], t)
  <2>1. GoOn(t, k, m, "record")
    BY <1>1 DEF Decide
  <2>2. ~Visible(m, k, t)
    BY <1>1 DEF CommittedBefore, Visible
  <2>3. /\ ReadsKept'
        /\ cursor'[t] = [step |-> "record", key |-> cursor[t].key, met |-> cursor[t].met]
        /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
    BY <2>1, <2>2, KeptByGoingOn
  <2> QED
    BY <2>3
<1>2. CASE CommittedBefore(commitTs[m], t)
  <2>r. Return(t, k, Value(m, k))
    BY <1>2 DEF Decide
  <2>k. /\ TypeOKCursor /\ TypeOKReads /\ FunReads /\ IdleDidNothing
        /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
        /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted
        /\ committed \subseteq Txn /\ NoTxn \notin Txn
    BY AssumedOfConstants DEF Kept, Inductive, TypeOK, TypeOKCommitted, Constants
  <2>x. \A x \in Txn : NeverCommits(x) => NeverCommits(x)'
    OBVIOUS
  <2>e. \A x \in Txn, j \in Key, u \in Txn : Erased(x, j, u) => Erased(x, j, u)'
    OBVIOUS
  <2>m. m \in Txn /\ k \in Key /\ k \notin writes[t] /\ m \in committed /\ status[t] = "active"
    BY <2>k DEF ReadIsOfActive
  <2> DEFINE new == [key |-> k, from |-> Value(m, k), own |-> FALSE]
  <2>a. reads' = [reads EXCEPT ![t] = @ \cup {new}]
    <3>1. (k \in writes[t]) = FALSE
      BY <2>m
    <3> QED
      BY <2>r, <3>1 DEF Return
  <2>c. /\ cursor'[t] = NoRead
        /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
        /\ TypeOKCursor'
    BY <2>r, <2>k DEF Return, TypeOKCursor, NoRead
  <2>f. new \in [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]
    BY <2>m DEF Value
  <2>w. /\ Visible(m, k, t)
        /\ k \notin deletes[m] =>
               \A x \in Txn : Visible(x, k, t) /\ commitTs[m] < commitTs[x] => NeverCommits(x)
        /\ k \in deletes[m] =>
               \A x \in Txn : Visible(x, k, t) /\ k \notin deletes[x] =>
                   \/ NeverCommits(x)
                   \/ \E w \in committed : Visible(w, k, t) /\ k \in deletes[w] /\ commitTs[x] < commitTs[w]
    BY <1>2, MetIsRight DEF CommittedBefore
  <2>n. /\ new.key = k /\ new.own = FALSE
        /\ k \notin deletes[m] => new.from = m
        /\ k \in deletes[m] => new.from = NoTxn
    BY DEF Value
  <2>v. \A x, u, j : Visible(x, j, u)' <=> Visible(x, j, u)
    BY DEF Visible
  <2>p. \A u \in Txn : cursor'[u].step # "none" => cursor'[u] = cursor[u] /\ cursor[u].key \in Key /\ cursor[u].met \in Txn
    BY <2>c, <2>k DEF NoRead, ReadIsOfActive
  <2> HIDE DEF new, k, m
  <2>t. FunReads'
    BY <2>a, <2>f, <2>k DEF FunReads
  <2>tt. TypeOKReads'
    BY <2>t DEF TypeOKReads, FunReads
  <2>y. /\ \A u \in Txn : u # t => reads'[u] = reads[u]
        /\ reads'[t] = reads[t] \cup {new}
    BY <2>a, <2>k DEF FunReads
  \* Who has read a value had read it before, or it is the new one.
  <2>i. \A u \in Txn : \A r \in reads'[u] : r \in reads[u] \/ (u = t /\ r = new)
    BY <2>y
  <2>1. IdleDidNothing'
    BY <2>y, <2>k, <2>m DEF IdleDidNothing
  <2>2. ReadsAreOfSnapshot'
    <3> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads'[u]
                 PROVE  IF r.own THEN r.key \in writes[u] /\ r.from = Value(u, r.key)
                        ELSE r.from # NoTxn =>
                          r.from \in Txn /\ r.from \in committed /\ Visible(r.from, r.key, u) /\ r.key \notin deletes[r.from]
      BY <2>v DEF ReadsAreOfSnapshot, Value
    <3>1. CASE r \in reads[u]
      BY <3>1, <2>k DEF ReadsAreOfSnapshot
    <3>2. CASE u = t /\ r = new
      BY <3>2, <2>n, <2>w, <2>m
    <3> QED
      BY <3>1, <3>2, <2>i
  <2>3. ReadsAreNewest'
    <3> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads'[u], NEW x \in Txn, ~r.own, r.from # NoTxn, Visible(x, r.key, u),
                        commitTs[r.from] < commitTs[x]
                 PROVE  NeverCommits(x)
      BY <2>v, <2>x DEF ReadsAreNewest
    <3>1. CASE r \in reads[u]
      BY <3>1, <2>k DEF ReadsAreNewest
    <3>2. CASE u = t /\ r = new
      BY <3>2, <2>n, <2>w, <2>m
    <3> QED
      BY <3>1, <3>2, <2>i
  <2>4. NothingReadIsNothing'
    <3> SUFFICES ASSUME NEW u \in Txn, NEW r \in reads'[u], NEW x \in Txn, ~r.own, r.from = NoTxn, Visible(x, r.key, u),
                        r.key \notin deletes[x]
                 PROVE  \/ NeverCommits(x)
                        \/ \E w \in committed : Visible(w, r.key, u) /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]
      BY <2>v, <2>k, <2>x DEF NothingReadIsNothing
    <3>1. CASE r \in reads[u]
      BY <3>1, <2>k DEF NothingReadIsNothing
    <3>2. CASE u = t /\ r = new
      BY <3>2, <2>n, <2>w, <2>m, <2>k
    <3> QED
      BY <3>1, <3>2, <2>i
  <2>5. ReadIsOfActive'
    BY <2>p, <2>k DEF ReadIsOfActive
  <2>6. PassedDoesNotMatter'
    BY <2>p, <2>k, <2>v, <2>x, <2>e DEF PassedDoesNotMatter
  <2>7. MetDoesNotMatter'
    BY <2>p, <2>k, <2>v, <2>x DEF MetDoesNotMatter
  <2>8. LeftDoesNotMatter'
    BY <2>p, <2>k, <2>v, <2>x, <2>e DEF LeftDoesNotMatter, InTime
  <2>9. HealsCommitted'
    BY <2>p, <2>k DEF HealsCommitted
  <2>10. ReadsKept'
    BY Zenon, <2>c, <2>t, <2>tt, <2>1, <2>2, <2>3, <2>4, <2>5, <2>6, <2>7, <2>8, <2>9 DEF ReadsKept
  <2>11. cursor'[t].step \in {"none", "record"}
    BY <2>c DEF NoRead
  <2> QED
    BY Zenon, <2>c, <2>10, <2>11
<1> QED
  BY <1>1, <1>2
================================================================================
