------------------------------ MODULE OmidLLReadOwnWrite ------------------------------
(***************************************************************************)
(* ReadOwnWrite keeps the invariant of Omid LL.                            *)
(***************************************************************************)
EXTENDS OmidLLFrame

LEMMA ReadOwnWriteKeeps == \A t \in Txn, k \in Key : Kept /\ ReadOwnWrite(t, k) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, NEW k \in Key, Kept, ReadOwnWrite(t, k) PROVE Kept'
  OBVIOUS
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF ReadOwnWrite, client, tm, store, table, network
<1>i. FunReads /\ IdleDidNothing /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
  BY Zenon DEF Kept, Inductive
\* The only change is one read more, of the transaction's own.
<1> DEFINE new == [key |-> k, from |-> Value(t, k), own |-> TRUE]
<1>n. /\ new.key = k /\ new.from = Value(t, k) /\ new.own = TRUE
      /\ new \in [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]
  BY DEF Value
<1>a. status[t] = "active" /\ k \in writes[t] /\ reads' = [reads EXCEPT ![t] = @ \cup {new}]
  BY DEF ReadOwnWrite, Ready, IsOwnWrite
<1> HIDE DEF new
<1>e. \A u \in Txn : \A r \in reads'[u] : r \in reads[u] \/ (u = t /\ r = new)
  BY <1>a, <1>i DEF FunReads
\* Types
<1>t1. FunReads'
  BY <1>n, <1>a, <1>i DEF FunReads
<1>t2. TypeOKReads'
  BY <1>t1 DEF FunReads, TypeOKReads
\* Words
<1>n1. \A x : NeverCommits(x)' <=> NeverCommits(x)
  BY <1>s DEF NeverCommits
<1>v. \A x, j, u : Visible(x, j, u)' <=> Visible(x, j, u)
  BY <1>s DEF Visible
\* Conjuncts
<1>w. /\ status' = status /\ readTs' = readTs /\ commitTs' = commitTs /\ writes' = writes /\ deletes' = deletes
      /\ committed' = committed /\ precedes' = precedes
  BY <1>s
<1>1. IdleDidNothing'
  <2>1. \A u \in Txn : u # t => reads'[u] = reads[u]
    BY <1>a, <1>i DEF FunReads
  <2> QED
    BY <1>a, <1>i, <1>w, <2>1 DEF IdleDidNothing
<1>2. ReadsAreOfSnapshot'
  BY <1>a, <1>e, <1>n, <1>v, <1>w, <1>i DEF ReadsAreOfSnapshot, Value
<1>3. ReadsAreNewest'
  BY <1>e, <1>n, <1>n1, <1>v, <1>w, <1>i DEF ReadsAreNewest
<1>4. NothingReadIsNothing'
  BY <1>e, <1>n, <1>n1, <1>v, <1>w, <1>i DEF NothingReadIsNothing
\* The rest says nothing of what has changed.
<1> USE DEF Kept, Inductive, TypeOK
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell' /\ CommitCellsTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted' /\ CommitIsDurable'
      /\ PostCommitRemembers' /\ RecordsWereWritten' /\ CertifiedIsStored' /\ ActiveIsStored' /\ LatePutsBringNothingBack'
      /\ InspectedIsSettled' /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ ReadIsOfActive' /\ PassedDoesNotMatter'
      /\ MetDoesNotMatter' /\ LeftDoesNotMatter' /\ HealsCommitted' /\ SecondLookTells' /\ AnsweredBefore' /\ TypeOKStatus'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKCursor'
      /\ TypeOKClock' /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitCell' /\ TypeOKCommitTable'
      /\ TypeOKWatermark' /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKPrecedes'
      /\ TypeOKFaults' /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY <1>f, <1>t1, <1>t2, <1>1, <1>2, <1>3, <1>4
================================================================================
