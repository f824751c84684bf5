------------------------------ MODULE OmidLLReading ------------------------------
(***************************************************************************)
(* What the proofs about Omid LL's readers have in common: a read that     *)
(* goes on or ends keeps what the invariant says of cursors and reads, if  *)
(* the record that it has met, or the value that it returns, is right.     *)
(***************************************************************************)
EXTENDS OmidLLFrame

\* A reader moves its cursor, and notes what it has read; it may write commit cells, too.
OnlyReads ==
    UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored, commitTable,
                watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>

\* What speaks of cursors and reads.
ReadPart ==
    /\ TypeOKCursor /\ TypeOKReads /\ FunReads /\ IdleDidNothing
    /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
    /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted /\ SecondLookTells

\* What t has passed of k, when it has met w, does not matter.
Passed(t, k, w) ==
    \A x \in Txn : Visible(x, k, t) /\ readTs[w] < readTs[x] =>
        /\ NeverCommits(x) \/ Erased(x, k, t)
        /\ NeverCommits(x) \/ k \in deletes[w] \/ NeverCommits(w) \/ commitTs[w] = NoTs

\* t may have met w's record of k.
MayMeet(t, k, w) ==
    /\ status[t] = "active" /\ k \in Key /\ w \in Txn
    /\ k \notin writes[t] /\ k \in writes[w] /\ readTs[w] <= readTs[t]
    /\ Passed(t, k, w)

\* What the invariant says of the step that comes next.
MayTake(t, k, w, step) ==
    /\ step \in {"record", "entry", "heal", "pending", "reread", "repair"}
    /\ step = "record" /\ InTime(t) /\ Visible(w, k, t) => NeverCommits(w) \/ Erased(w, k, t)
    /\ step = "heal" => w \in committed
    /\ step = "reread" => w \in committed \/ NeverCommits(w)
    /\ step = "repair" => w \in committed
    /\ step \in {"reread", "repair"} /\ w \in committed =>
        /\ Healed(w)
        /\ status[w] = "closed" \/ (readTs[w] < watermark /\ commitTable[w] = NoTs)

\* A read of k may return this.
MayReturn(t, k, from) ==
    /\ status[t] = "active" /\ k \in Key /\ k \notin writes[t] /\ from \in Txn \cup {NoTxn}
    /\ from # NoTxn =>
        /\ from \in Txn /\ from \in committed /\ Visible(from, k, t) /\ k \notin deletes[from]
        /\ \A x \in Txn : Visible(x, k, t) /\ commitTs[from] < commitTs[x] => NeverCommits(x)
    /\ from = NoTxn =>
        \A x \in Txn : Visible(x, k, t) /\ k \notin deletes[x] =>
            NeverCommits(x) \/ \E w \in committed : Visible(w, k, t) /\ k \in deletes[w] /\ commitTs[x] < commitTs[w]

-----------------------------------------------------------------------------
(* Nothing of what they speak has changed, except Healed *)

LEMMA WordsStay ==
    OnlyReads =>
        /\ \A x : NeverCommits(x)' <=> NeverCommits(x)
        /\ \A x, k, u : Visible(x, k, u)' <=> Visible(x, k, u)
        /\ \A x, k : Superfluous(x, k)' <=> Superfluous(x, k)
        /\ \A x, k, u : Erased(x, k, u)' <=> Erased(x, k, u)
        /\ \A u : InTime(u)' <=> InTime(u)
<1> SUFFICES ASSUME OnlyReads
             PROVE  /\ \A x : NeverCommits(x)' <=> NeverCommits(x)
                    /\ \A x, k, u : Visible(x, k, u)' <=> Visible(x, k, u)
                    /\ \A x, k : Superfluous(x, k)' <=> Superfluous(x, k)
                    /\ \A x, k, u : Erased(x, k, u)' <=> Erased(x, k, u)
                    /\ \A u : InTime(u)' <=> InTime(u)
  OBVIOUS
<1> USE DEF OnlyReads
<1>1. \A x : NeverCommits(x)' <=> NeverCommits(x)
  BY DEF NeverCommits
<1>2. \A x, k, u : Visible(x, k, u)' <=> Visible(x, k, u)
  BY DEF Visible
<1>3. \A x, k : Superfluous(x, k)' <=> Superfluous(x, k)
  BY <1>1 DEF Superfluous
<1>4. \A x, k, u : Erased(x, k, u)' <=> Erased(x, k, u)
  BY <1>2, <1>3 DEF Erased
<1>5. \A u : InTime(u)' <=> InTime(u)
  BY DEF InTime
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, <1>5

LEMMA HealedStays == OnlyReads /\ UNCHANGED commitCell => \A x : Healed(x)' <=> Healed(x)
  BY WordsStay DEF OnlyReads, Healed

\* The traversal, by read timestamps, and the snapshot, by commit timestamps, agree.
LEMMA InOrder == Kept => VersionsInOrder
<1> SUFFICES ASSUME Kept, NEW x \in Txn, NEW y \in Txn, NEW k \in Key,
                    k \in writes[x], k \in writes[y], commitTs[x] # NoTs, commitTs[y] # NoTs,
                    readTs[x] < readTs[y] \/ commitTs[x] < commitTs[y]
             PROVE  commitTs[x] < readTs[y]
  BY DEF VersionsInOrder
<1>i. TypeOKReadTs /\ TypeOKCommitTs /\ CommitTsFollows /\ CertifiedDoNotOverlap
  BY Zenon DEF Kept, Inductive, TypeOK
<1>1. /\ readTs[x] \in Nat /\ readTs[y] \in Nat /\ commitTs[x] \in Nat /\ commitTs[y] \in Nat
      /\ readTs[x] < commitTs[x] /\ readTs[y] < commitTs[y]
  BY <1>i DEF TypeOKReadTs, TypeOKCommitTs, CommitTsFollows
<1>2. x # y
  BY <1>1
<1>3. commitTs[x] < readTs[y] \/ commitTs[y] < readTs[x]
  BY <1>i, <1>2 DEF CertifiedDoNotOverlap
<1> QED
  BY <1>1, <1>3

-----------------------------------------------------------------------------
(* The read goes on *)

LEMMA KeptByGoOn ==
    ASSUME Kept, NEW t \in Txn, NEW k, NEW w, NEW step, OnlyReads, \A x \in committed : Healed(x) => Healed(x)',
           GoOn(t, k, w, step), MayMeet(t, k, w), MayTake(t, k, w, step)
    PROVE  ReadPart'
<1> USE DEF NoTs
<1>k. k \in Key /\ w \in Txn
  BY DEF MayMeet
<1>s. /\ status' = status /\ readTs' = readTs /\ commitTs' = commitTs /\ writes' = writes /\ deletes' = deletes
      /\ commitTable' = commitTable /\ watermark' = watermark /\ committed' = committed /\ precedes' = precedes /\ reads' = reads
  BY DEF OnlyReads, GoOn
<1>i. /\ TypeOKCursor /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted
      /\ SecondLookTells
  BY Zenon DEF Kept, Inductive, TypeOK
<1>c. /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
      /\ cursor'[t].step = step /\ cursor'[t].key = k /\ cursor'[t].met = w
      /\ cursor'[t].step # "none"
  BY <1>i DEF GoOn, TypeOKCursor, MayTake
<1>1. TypeOKCursor'
  BY <1>i, <1>k DEF GoOn, TypeOKCursor, MayTake
<1>2. TypeOKReads' /\ FunReads' /\ IdleDidNothing' /\ ReadsAreOfSnapshot'
  BY Zenon, <1>s, Frames DEF Kept, Inductive, TypeOK
<1>w. UNCHANGED lateEntries
  BY DEF OnlyReads
<1>3. ReadsAreNewest' /\ NothingReadIsNothing'
  BY Zenon, <1>s, <1>w, Frames DEF Kept, Inductive
<1>4. ReadIsOfActive'
  BY <1>i, <1>k, <1>s, <1>c DEF ReadIsOfActive, MayMeet
<1>5. PassedDoesNotMatter'
  BY <1>i, <1>k, <1>s, <1>c, WordsStay DEF PassedDoesNotMatter, MayMeet, Passed
<1>6. MetDoesNotMatter'
  BY <1>i, <1>k, <1>s, <1>c, WordsStay DEF MetDoesNotMatter, MayMeet, Passed
<1>7. LeftDoesNotMatter'
  BY <1>i, <1>k, <1>s, <1>c, WordsStay DEF LeftDoesNotMatter, MayTake
<1>8. HealsCommitted'
  BY <1>i, <1>k, <1>s, <1>c DEF HealsCommitted, MayTake
<1>9. SecondLookTells'
  BY <1>i, <1>k, <1>s, <1>c, WordsStay DEF SecondLookTells, MayTake
<1> QED
  BY <1>1, <1>2, <1>3, <1>4, <1>5, <1>6, <1>7, <1>8, <1>9 DEF ReadPart

-----------------------------------------------------------------------------
(* The read ends *)

LEMMA KeptByReturn ==
    ASSUME Kept, NEW t \in Txn, NEW k, NEW from, OnlyReads, \A x \in committed : Healed(x) => Healed(x)',
           Return(t, k, from), MayReturn(t, k, from)
    PROVE  ReadPart'
<1> USE DEF NoTs
<1>k. k \in Key /\ from \in Txn \cup {NoTxn}
  BY DEF MayReturn
<1>s. /\ status' = status /\ readTs' = readTs /\ commitTs' = commitTs /\ writes' = writes /\ deletes' = deletes
      /\ commitTable' = commitTable /\ watermark' = watermark /\ committed' = committed /\ precedes' = precedes
  BY DEF OnlyReads
<1>i. /\ TypeOKCursor /\ FunReads /\ IdleDidNothing /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
      /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted /\ SecondLookTells
  BY Zenon DEF Kept, Inductive, TypeOK
<1> DEFINE new == [key |-> k, from |-> from, own |-> FALSE]
<1>n. new.key = k /\ new.from = from /\ new.own = FALSE /\ new \in [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]
  BY <1>k
<1>r. reads' = [reads EXCEPT ![t] = @ \cup {new}]
  <2>1. (k \in writes[t]) = FALSE
    BY DEF MayReturn
  <2> QED
    BY Zenon, <2>1 DEF Return
<1> HIDE DEF new
<1>e. /\ \A u \in Txn : u # t => reads'[u] = reads[u]
      /\ \A r \in reads'[t] : r \in reads[t] \/ r = new
  BY <1>i, <1>r DEF FunReads
<1>c. /\ \A u \in Txn : u # t => cursor'[u] = cursor[u]
      /\ cursor'[t].step = "none"
      /\ TypeOKCursor'
  BY <1>i DEF Return, NoRead, TypeOKCursor
<1>1. FunReads'
  BY <1>i, <1>n, <1>r DEF FunReads
<1>2. TypeOKReads'
  BY <1>1 DEF FunReads, TypeOKReads
<1>3. IdleDidNothing'
  BY <1>i, <1>s, <1>e DEF IdleDidNothing, MayReturn
<1>4. ReadsAreOfSnapshot'
  BY <1>i, <1>n, <1>s, <1>e, WordsStay DEF ReadsAreOfSnapshot, MayReturn, Value
<1>5. ReadsAreNewest'
  BY <1>i, <1>n, <1>s, <1>e, WordsStay DEF ReadsAreNewest, MayReturn
<1>6. NothingReadIsNothing'
  BY <1>i, <1>n, <1>s, <1>e, WordsStay DEF NothingReadIsNothing, MayReturn
<1>7. ReadIsOfActive'
  BY <1>i, <1>s, <1>c DEF ReadIsOfActive
<1>8. PassedDoesNotMatter' /\ MetDoesNotMatter'
  BY <1>i, <1>s, <1>c, WordsStay DEF PassedDoesNotMatter, MetDoesNotMatter
<1>9. LeftDoesNotMatter' /\ HealsCommitted'
  BY Zenon, <1>i, <1>s, <1>c, WordsStay DEF LeftDoesNotMatter, HealsCommitted
<1>10. SecondLookTells'
  BY <1>i, <1>s, <1>c, WordsStay DEF SecondLookTells, ReadIsOfActive
<1> QED
  BY <1>c, <1>1, <1>2, <1>3, <1>4, <1>5, <1>6, <1>7, <1>8, <1>9, <1>10 DEF ReadPart

-----------------------------------------------------------------------------
(* The commit timestamp of the record that was met is known *)

\* What was erased in t's snapshot is older than a tombstone, or one.
LEMMA ErasedByTombstone ==
    ASSUME Kept, NEW t \in Txn, NEW k \in Key, NEW x \in Txn, Visible(x, k, t), Erased(x, k, t), k \notin deletes[x]
    PROVE  \E w \in committed : Visible(w, k, t) /\ k \in deletes[w] /\ commitTs[x] < commitTs[w]
<1>1. PICK w \in committed : Visible(w, k, t) /\ readTs[x] < readTs[w] /\ k \in deletes[w]
  BY DEF Erased, Superfluous
<1>i. TypeOKCommitted /\ TypeOKReadTs /\ TypeOKCommitTs /\ CommitTsFollows
  BY Zenon DEF Kept, Inductive, TypeOK
<1>2. w \in Txn
  BY <1>i DEF TypeOKCommitted
<1>3. commitTs[x] < readTs[w]
  BY <1>1, <1>2, InOrder DEF VersionsInOrder, Visible
<1>4. readTs[w] < commitTs[w] /\ readTs[w] \in Nat /\ commitTs[w] \in Nat /\ commitTs[x] \in Nat
  BY <1>i, <1>1, <1>2 DEF TypeOKReadTs, TypeOKCommitTs, CommitTsFollows, Visible
<1>5. commitTs[x] < commitTs[w]
  BY <1>3, <1>4
<1> QED
  BY <1>1, <1>5

LEMMA MetMayBeReturned ==
    ASSUME Kept, NEW t \in Txn, NEW k, NEW w, MayMeet(t, k, w), w \in committed, commitTs[w] < readTs[t]
    PROVE  MayReturn(t, k, Value(w, k))
<1>k. k \in Key /\ w \in Txn
  BY DEF MayMeet
<1>i. /\ TypeOKReadTs /\ TypeOKCommitTs /\ CommitTsFollows /\ TimestampsUnique /\ BegunHasReadTs /\ CommittedCertified
      /\ VersionsInOrder
  BY Zenon, InOrder DEF Kept, Inductive, TypeOK
<1>v. Visible(w, k, t)
  BY <1>i, <1>k DEF MayMeet, Visible, CommittedCertified
<1>n. ~NeverCommits(w) /\ commitTs[w] # NoTs
  BY <1>v DEF NeverCommits, Visible
<1>t. /\ \A u \in Txn : readTs[u] \in Nat /\ commitTs[u] \in Nat
      /\ \A u \in Txn : commitTs[u] # NoTs => readTs[u] < commitTs[u] /\ readTs[u] # NoTs
      /\ \A u \in Txn : u # w /\ readTs[u] = readTs[w] => readTs[u] = NoTs
  BY <1>i, <1>k DEF TypeOKReadTs, TypeOKCommitTs, CommitTsFollows, TimestampsUnique, BegunHasReadTs, NoTs
<1>a. w # NoTxn
  BY <1>k, AssumedOfConstants DEF Constants
<1>1. CASE k \notin deletes[w]
  <2>1. ASSUME NEW x \in Txn, Visible(x, k, t), commitTs[w] < commitTs[x] PROVE NeverCommits(x)
    <3>1. commitTs[w] < readTs[x]
      BY <1>i, <1>k, <1>v, <2>1 DEF VersionsInOrder, Visible
    <3>2. readTs[w] < readTs[x]
      BY <1>k, <1>n, <1>t, <3>1
    <3> QED
      BY <1>1, <1>n, <2>1, <3>2 DEF MayMeet, Passed
  <2>2. Value(w, k) = w
    BY <1>1 DEF Value
  <2> QED
    BY <1>1, <1>a, <1>k, <1>v, <2>1, <2>2 DEF MayReturn, MayMeet
<1>2. CASE k \in deletes[w]
  <2>1. ASSUME NEW x \in Txn, Visible(x, k, t), k \notin deletes[x], ~NeverCommits(x)
        PROVE  \E u \in committed : Visible(u, k, t) /\ k \in deletes[u] /\ commitTs[x] < commitTs[u]
    <3>0. x # w /\ commitTs[x] # NoTs /\ k \in writes[x] /\ k \in writes[w]
      BY <1>2, <1>v, <2>1 DEF Visible
    <3>1. CASE readTs[w] < readTs[x]
      <4>1. Erased(x, k, t)
        BY <2>1, <3>1 DEF MayMeet, Passed
      <4> QED
        BY <4>1, <2>1, <1>k, ErasedByTombstone
    <3>2. CASE readTs[x] < readTs[w]
      <4>1. commitTs[x] < readTs[w]
        BY <1>i, <1>k, <1>n, <3>0, <3>2 DEF VersionsInOrder
      <4>2. commitTs[x] < commitTs[w]
        BY <1>k, <1>n, <1>t, <4>1
      <4> QED
        BY <1>2, <1>v, <4>2
    <3>3. readTs[w] # readTs[x]
      BY <1>t, <3>0
    <3> QED
      BY <1>k, <1>t, <3>1, <3>2, <3>3
  <2>2. Value(w, k) = NoTxn
    BY <1>2 DEF Value
  <2> QED
    BY <1>k, <2>1, <2>2 DEF MayReturn, MayMeet
<1> QED
  BY <1>1, <1>2

LEMMA KeptByDecide ==
    ASSUME Kept, NEW t \in Txn, NEW k, NEW w, OnlyReads, \A x \in committed : Healed(x) => Healed(x)',
           Decide(t, k, w, commitTs[w]), MayMeet(t, k, w), w \in committed
    PROVE  ReadPart'
<1>1. CASE commitTs[w] < readTs[t]
  <2>1. Return(t, k, Value(w, k))
    BY <1>1 DEF Decide, CommittedBefore
  <2> QED
    BY <1>1, <2>1, MetMayBeReturned, KeptByReturn
<1>2. CASE ~(commitTs[w] < readTs[t])
  <2>1. GoOn(t, k, w, "record")
    BY <1>2 DEF Decide, CommittedBefore
  <2>2. MayTake(t, k, w, "record")
    BY <1>2 DEF MayTake, Visible
  <2> QED
    BY <2>1, <2>2, KeptByGoOn
<1> QED
  BY <1>1, <1>2

-----------------------------------------------------------------------------
(* What the invariant says of a read in progress *)

LEMMA CursorHasMet ==
    ASSUME Kept, NEW t \in Txn, cursor[t].step # "none"
    PROVE  MayMeet(t, cursor[t].key, cursor[t].met)
<1>1. /\ status[t] = "active" /\ cursor[t].key \in Key /\ cursor[t].met \in Txn
      /\ cursor[t].key \notin writes[t] /\ cursor[t].key \in writes[cursor[t].met] /\ readTs[cursor[t].met] <= readTs[t]
  BY DEF Kept, Inductive, ReadIsOfActive
<1>2. Passed(t, cursor[t].key, cursor[t].met)
  BY DEF Passed, Kept, Inductive, PassedDoesNotMatter, MetDoesNotMatter
<1> QED
  BY <1>1, <1>2 DEF MayMeet
================================================================================
