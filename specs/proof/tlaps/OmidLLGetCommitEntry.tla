------------------------------ MODULE OmidLLGetCommitEntry ------------------------------
(***************************************************************************)
(* GetCommitEntry keeps the invariant of Omid LL.                          *)
(***************************************************************************)
EXTENDS OmidLLReading

LEMMA GetCommitEntryKeeps == \A t \in Txn : Kept /\ GetCommitEntry(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, GetCommitEntry(t) PROVE Kept'
  OBVIOUS
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF GetCommitEntry, tm, store, table, network
<1>o. OnlyReads /\ \A x \in committed : Healed(x) => Healed(x)'
  <2>1. OnlyReads
    BY <1>s DEF OnlyReads
  <2> QED
    BY <1>s, <2>1, HealedStays
<1>i. TypeOKCommitTs /\ CommittedCertified /\ EntryWhileAsked /\ CommitIsDurable /\ EntriesTell
  BY Zenon DEF Kept, Inductive, TypeOK
\* What is known of the record that was met
<1>c. PICK k, w : k = cursor[t].key /\ w = cursor[t].met
  OBVIOUS
<1>m. MayMeet(t, k, w)
  BY <1>c, CursorHasMet DEF GetCommitEntry
<1>w. w \in Txn
  BY <1>m DEF MayMeet
<1>a. \/ commitTable[w] = NoTs /\ GoOn(t, k, w, "pending")
      \/ commitTable[w] = Invalidated /\ GoOn(t, k, w, "reread")
      \/ /\ commitTable[w] # NoTs /\ commitTable[w] # Invalidated
         /\ Decide(t, k, w, commitTable[w]) \/ GoOn(t, k, w, "heal")
  BY <1>c DEF GetCommitEntry, NoTs, Invalidated
\* What is said of cursors and reads, by what the entry is
<1>1. ASSUME commitTable[w] = NoTs /\ GoOn(t, k, w, "pending") PROVE ReadPart'
  <2>1. MayTake(t, k, w, "pending")
    BY DEF MayTake
  <2> QED
    BY <1>1, <1>m, <1>o, <2>1, KeptByGoOn
<1>2. ASSUME commitTable[w] = Invalidated /\ GoOn(t, k, w, "reread") PROVE ReadPart'
  \* It never commits; or it had committed and is closed, and then all its commit cells are there.
  <2>1. w \in committed \/ NeverCommits(w)
    BY <1>2 DEF NeverCommits
  <2>2. ASSUME w \in committed PROVE Healed(w) /\ status[w] = "closed"
    <3>1. commitTs[w] \in Nat /\ commitTs[w] # NoTs
      BY <1>i, <1>w, <2>2 DEF TypeOKCommitTs, CommittedCertified
    <3>2. commitTable[w] # commitTs[w] /\ commitTable[w] # NoTs
      BY <1>2, <3>1 DEF NoTs, Invalidated
    <3>3. status[w] = "closed"
      BY <1>i, <2>2, <3>2 DEF EntryWhileAsked
    <3>4. \A j \in Key : w \in stored[j] => commitCell[j][w] = commitTs[w] \/ Superfluous(w, j)
      BY <1>i, <2>2, <3>2 DEF CommitIsDurable
    <3> QED
      BY <3>1, <3>3, <3>4 DEF Healed
  <2>3. MayTake(t, k, w, "reread")
    BY <2>1, <2>2 DEF MayTake
  <2> QED
    BY <1>2, <1>m, <1>o, <2>3, KeptByGoOn
<1>3. ASSUME commitTable[w] # NoTs, commitTable[w] # Invalidated, Decide(t, k, w, commitTable[w]) \/ GoOn(t, k, w, "heal")
      PROVE  ReadPart'
  <2>1. commitTable[w] = commitTs[w] /\ w \in committed
    BY <1>i, <1>3, <1>w DEF EntriesTell
  <2>2. CASE Decide(t, k, w, commitTable[w])
    <3>1. Decide(t, k, w, commitTs[w])
      BY <2>1, <2>2
    <3> QED
      BY <1>m, <1>o, <2>1, <3>1, KeptByDecide
  <2>3. CASE GoOn(t, k, w, "heal")
    <3>1. MayTake(t, k, w, "heal")
      BY <2>1 DEF MayTake
    <3> QED
      BY <1>m, <1>o, <2>3, <3>1, KeptByGoOn
  <2> QED
    BY <1>3, <2>2, <2>3
<1>r. ReadPart'
  BY <1>1, <1>2, <1>3, <1>a
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
