------------------------------ MODULE Isolation ------------------------------
(***************************************************************************)
(* What a transaction system promises, stated three ways over one history. *)
(*                                                                         *)
(* A history h is a record of what clients saw, plus ghost timestamps:     *)
(*   done      the transactions that committed, read-only ones included    *)
(*   writes    the keys that each transaction wrote                        *)
(*   deletes   those of them that it deleted                               *)
(*   reads     what each transaction read, in whatever state it ended:     *)
(*             [key, from, own]: the value came from the transaction       *)
(*             `from` (NoTxn: there was nothing), own = after the          *)
(*             transaction had written the key itself                      *)
(*   precedes  for each transaction b, those whose commit was answered     *)
(*             before b was begun                                          *)
(*   readTs, commitTs   ghost: begin and commit timestamps, positive       *)
(*                                                                         *)
(* The three formulations are                                              *)
(*   1. by timestamps: Snapshot, OwnWrites, FirstCommitterWins,            *)
(*      NoDirtyRead, StrongSI;                                             *)
(*   2. client-centric: ReadStates (Crooks et al.,          *)
(*      PODC'17: a commit test over read states);                          *)
(*   3. Adya: no phenomenon G0, G1a, G1c, G-SI (in the acyclicity form of  *)
(*      Cerone and Gotsman, JACM'18, real-time order included).            *)
(* models/Isolation asserts that they agree on every small history.        *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* No transaction: what a read of a missing key returns.
    \* @type: TXN;
    NoTxn

\* @typeAlias: read = { key: KEY, from: TXN, own: Bool };
\* @typeAlias: history = { done: Set(TXN), writes: TXN -> Set(KEY), deletes: TXN -> Set(KEY), reads: TXN -> Set($read), precedes: TXN -> Set(TXN), readTs: TXN -> Int, commitTs: TXN -> Int };
Isolation_aliases == TRUE

\* The history. A protocol instantiates this module with the history that its variables hold.
CONSTANT
    \* @type: $history;
    h

\* What a reader of t's version of k sees: t's value, or nothing where t deleted k.
\* @type: (TXN, KEY) => TXN;
Seen(t, k) == IF k \in h.deletes[t] THEN NoTxn ELSE t

\* The committed writers of k.
\* @type: (KEY) => Set(TXN);
Writers(k) == {w \in h.done : k \in h.writes[w]}

-----------------------------------------------------------------------------
(* 1. By timestamps: the protocols' own axioms. *)

\* What k holds for a snapshot at ts: the value of the committed writer with the greatest commit timestamp below ts.
\* @type: (KEY, Int) => TXN;
ValueAt(k, ts) ==
    LET before == {w \in Writers(k) : h.commitTs[w] < ts}
    IN  IF before = {} THEN NoTxn
        ELSE Seen(CHOOSE w \in before : \A x \in before : h.commitTs[x] <= h.commitTs[w], k)

\* Every read returned the value of its snapshot, whatever committed later; so did the reads of transactions that aborted,
\* died or have not ended. When it fails, a user sees half of another transaction, or a value that had been overwritten
\* before his own transaction began.  VLDB'18 sec. 2.2
\* @type: Bool;
Snapshot ==
    \A t \in Txn : \A r \in h.reads[t] : r.own \/ r.from = ValueAt(r.key, h.readTs[t])

\* A transaction reads what it wrote itself. When it fails, a user's own update vanishes before his eyes.
\* @type: Bool;
OwnWrites ==
    \A t \in Txn : \A r \in h.reads[t] : r.own => r.from = Seen(t, r.key)

\* Of two committed transactions that overlap, no key was written by both. When it fails, an update is lost:
\* somebody overwrote a value that he never saw.  VLDB'18 sec. 2.2
\* @type: Bool;
FirstCommitterWins ==
    \A a \in h.done, b \in h.done :
        \/ a = b
        \/ h.writes[a] \cap h.writes[b] = {}
        \/ h.commitTs[a] < h.readTs[b]
        \/ h.commitTs[b] < h.readTs[a]

\* Nothing that was read was written by a transaction that did not commit. When it fails, a user acts on a value
\* that never existed.
\* @type: Bool;
NoDirtyRead ==
    \A t \in Txn : \A r \in h.reads[t] : r.own \/ r.from = NoTxn \/ r.from \in h.done

\* Who begins after a commit was answered sees it. When it fails, a user reports "saved", and his colleague whom he
\* tells so does not find it.  VLDB'18 sec. 2.2: regular transactions satisfy SI amongst themselves
\* @type: Bool;
StrongSI ==
    \A b \in Txn : \A a \in h.precedes[b] : h.commitTs[a] < h.readTs[b]

\* @type: Bool;
ByTimestamps ==
    Snapshot /\ OwnWrites /\ FirstCommitterWins /\ NoDirtyRead /\ StrongSI

-----------------------------------------------------------------------------
(* 2. Client-centric: is there an order of the committed transactions, each turning the database's state into the   *)
(* next, in which everybody's reads come from one earlier state and nobody in between wrote what he writes?          *)

\* All orders of a set of transactions, each as the position of every transaction.
\* @type: (Set(TXN)) => Set(TXN -> Int);
Orders(S) == {p \in [S -> 1..Cardinality(S)] : \A a \in S, b \in S : a = b \/ p[a] # p[b]}

\* What k holds in the state that the first i transactions of the order p produced.
\* @type: (TXN -> Int, Int, KEY) => TXN;
ValueInState(p, i, k) ==
    LET before == {w \in Writers(k) : p[w] <= i}
    IN  IF before = {} THEN NoTxn
        ELSE Seen(CHOOSE w \in before : \A x \in before : p[x] <= p[w], k)

\* @type: (TXN -> Int, TXN) => Bool;
CommitTest(p, t) ==
    \E i \in 0..(p[t] - 1) :
        /\ \A r \in h.reads[t] : r.own \/ r.from = ValueInState(p, i, r.key)
        /\ \A b \in h.done : i < p[b] /\ p[b] < p[t] => h.writes[b] \cap h.writes[t] = {}
        /\ \A a \in h.precedes[t] \cap h.done : p[a] <= i

\* The history could have been produced by a snapshot-isolated database. When it fails, no order of the committed
\* transactions explains what users saw.  Crooks et al., PODC'17
\* @type: Bool;
ReadStates ==
    /\ OwnWrites
    /\ \E p \in Orders(h.done) : \A t \in h.done : CommitTest(p, t)

-----------------------------------------------------------------------------
(* 3. Adya: phenomena in the graph of dependencies. Reads of nothing are reads of the initial version, so histories  *)
(* with deletes are judged by the two formulations above.                                                            *)

\* Relation composition.
\* @type: (Set(<<TXN, TXN>>), Set(<<TXN, TXN>>)) => Set(<<TXN, TXN>>);
Compose(R, S) ==
    {e \in Txn \X Txn : \E b \in Txn : <<e[1], b>> \in R /\ <<b, e[2]>> \in S}

\* A relation has no cycle if each set of transactions, unless it is empty, has a first one: none of the set comes before it.
\* @type: (Set(<<TXN, TXN>>)) => Bool;
Acyclic(R) == \A S \in SUBSET Txn : S = {} \/ \E b \in S : \A a \in S : <<a, b>> \notin R

\* Version orders: for each key, an order of its committed writers.
\* @type: Set(KEY -> (TXN -> Int));
VersionOrders ==
    {v \in [Key -> UNION {Orders(Writers(k)) : k \in Key}] : \A k \in Key : DOMAIN v[k] = Writers(k)}

\* b overwrote a's version.
\* @type: (KEY -> (TXN -> Int)) => Set(<<TXN, TXN>>);
WriteDependencies(v) ==
    {e \in h.done \X h.done : \E k \in Key :
        /\ {e[1], e[2]} \subseteq Writers(k)
        /\ v[k][e[1]] < v[k][e[2]]}

\* b read a's version.
\* @type: Set(<<TXN, TXN>>);
ReadDependencies ==
    {e \in h.done \X h.done : \E r \in h.reads[e[2]] : ~r.own /\ r.from = e[1]}

\* a read a version that b overwrote.
\* @type: (KEY -> (TXN -> Int)) => Set(<<TXN, TXN>>);
AntiDependencies(v) ==
    {e \in h.done \X h.done : e[1] # e[2] /\ \E r \in h.reads[e[1]] :
        /\ ~r.own
        /\ e[2] \in Writers(r.key)
        /\ \/ r.from = NoTxn
           \/ r.from \in Writers(r.key) /\ v[r.key][r.from] < v[r.key][e[2]]}

\* a was answered before b began.
\* @type: Set(<<TXN, TXN>>);
RealTime == {e \in h.done \X h.done : e[1] \in h.precedes[e[2]]}

\* Dirty write: two transactions overwrote each other.
\* @type: (KEY -> (TXN -> Int)) => Bool;
G0(v) == ~Acyclic(WriteDependencies(v))
\* Aborted read: a value of a transaction that did not commit, or did not write the key.
\* @type: Bool;
G1a == \E t \in h.done : \E r \in h.reads[t] :
              ~r.own /\ r.from # NoTxn /\ r.from \notin Writers(r.key)
\* Circular information flow.
\* @type: (KEY -> (TXN -> Int)) => Bool;
G1c(v) == ~Acyclic(WriteDependencies(v) \cup ReadDependencies)
\* Interference and missed effects: a cycle without two anti-dependencies in a row.
\* @type: (KEY -> (TXN -> Int)) => Bool;
GSI(v) ==
    LET dep == WriteDependencies(v) \cup ReadDependencies \cup RealTime
    IN  ~Acyclic(dep \cup Compose(dep, AntiDependencies(v)))

\* Some version order shows no phenomenon. When it fails, the history has an anomaly with a name of its own.
\* @type: Bool;
NoPhenomena ==
    /\ OwnWrites
    /\ ~G1a
    /\ \E v \in VersionOrders : ~G0(v) /\ ~G1c(v) /\ ~GSI(v)
=============================================================================
