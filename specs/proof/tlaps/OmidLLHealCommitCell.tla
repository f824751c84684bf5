------------------------------ MODULE OmidLLHealCommitCell ------------------------------
(***************************************************************************)
(* HealCommitCell keeps the invariant of Omid LL.                          *)
(***************************************************************************)
EXTENDS OmidLLReading

LEMMA HealCommitCellKeeps == \A t \in Txn : Kept /\ HealCommitCell(t) => Kept'
<1> SUFFICES ASSUME NEW t \in Txn, Kept, HealCommitCell(t) PROVE Kept'
  OBVIOUS
<1> USE DEF NoTs
<1>s. UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored,
                  commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes, faults>>
  BY DEF HealCommitCell, tm, table, network
<1>o. OnlyReads
  BY <1>s DEF OnlyReads
<1>i. /\ TypeOKCommitted /\ TypeOKCommitTs /\ TypeOKCommitCell /\ TypeOKWrites /\ HealsCommitted /\ CommittedCertified
      /\ CommitCellsTell /\ CommitIsDurable /\ PostCommitRemembers /\ CertifiedIsStored /\ ActiveIsStored /\ InspectedIsSettled
  BY Zenon DEF Kept, Inductive, TypeOK
\* What is known of the record that was met: its transaction has committed.
<1>c. PICK k, w : k = cursor[t].key /\ w = cursor[t].met
  OBVIOUS
<1>m. MayMeet(t, k, w)
  BY <1>c, CursorHasMet DEF HealCommitCell
<1>w. w \in Txn /\ k \in Key /\ k \in writes[w]
  BY <1>m DEF MayMeet
<1>d. w \in committed
  BY <1>c, <1>i DEF HealCommitCell, HealsCommitted
<1>ts. \A x \in committed : x \in Txn /\ commitTs[x] # NoTs /\ commitTs[x] \in Nat
  BY <1>i DEF TypeOKCommitted, TypeOKCommitTs, CommittedCertified
\* What has changed: one commit cell
<1>e. commitCell' = [commitCell EXCEPT ![k][w] = commitTs[w]]
  BY <1>c DEF HealCommitCell
<1>t. TypeOKCommitCell'
  BY <1>d, <1>e, <1>i, <1>ts, <1>w DEF TypeOKCommitCell
<1>e1. /\ commitCell'[k][w] = commitTs[w]
       /\ \A j \in Key, x \in Txn : ~(j = k /\ x = w) => commitCell'[j][x] = commitCell[j][x]
  BY <1>e, <1>i, <1>w DEF TypeOKCommitCell
\* So who had its commit cell still has.
<1>e2. \A j \in Key : \A x \in Txn : commitCell[j][x] = commitTs[x] => commitCell'[j][x] = commitTs[x]
  BY <1>e1
<1>e3. \A j \in Key : \A x \in Txn : commitCell[j][x] # NoTs => commitCell'[j][x] # NoTs
  BY <1>d, <1>e1, <1>ts
\* Words
<1>su. \A x, j : Superfluous(x, j)' <=> Superfluous(x, j)
  BY <1>o, WordsStay
<1>n. \A x : NeverCommits(x)' <=> NeverCommits(x)
  BY <1>o, WordsStay
<1>u. /\ status' = status /\ readTs' = readTs /\ commitTs' = commitTs /\ writes' = writes /\ todo' = todo /\ stored' = stored
      /\ unanswered' = unanswered /\ commitTable' = commitTable /\ watermark' = watermark /\ committed' = committed
      /\ inspected' = inspected
  BY <1>s
<1>h. \A x \in Txn, j \in Key : Hidden(x, j) => Hidden(x, j)'
  BY <1>e2, <1>su, <1>ts, <1>u DEF Hidden
<1>hd. \A x \in committed : Healed(x) => Healed(x)'
  BY <1>e3, <1>su, <1>ts, <1>u DEF Healed
\* Conjuncts
<1>r. ReadPart'
  <2>1. Decide(t, k, w, commitTs[w])
    BY <1>c DEF HealCommitCell
  <2> QED
    BY <1>d, <1>hd, <1>m, <1>o, <2>1, KeptByDecide
<1>2. CommitCellsTell'
  BY <1>d, <1>e1, <1>i, <1>u, <1>w DEF CommitCellsTell
<1>3. CommitIsDurable' /\ PostCommitRemembers'
  BY <1>e2, <1>i, <1>su, <1>ts, <1>u DEF CommitIsDurable, PostCommitRemembers
<1>4. CertifiedIsStored' /\ ActiveIsStored'
  BY <1>h, <1>i, <1>n, <1>su, <1>u DEF CertifiedIsStored, ActiveIsStored, TypeOKWrites
<1>5. InspectedIsSettled'
  BY <1>hd, <1>i, <1>u DEF InspectedIsSettled
\* The rest says nothing of what has changed.
<1> USE DEF Kept, Inductive, TypeOK
<1>f. /\ GivenByClock' /\ BegunHasReadTs' /\ CommitTsFollows' /\ TimestampsUnique' /\ EntriesTell'
      /\ LateEntriesSent' /\ CommittedCertified' /\ EntryWhileAsked' /\ ToldCommitted'
      /\ RecordsWereWritten' /\ LatePutsBringNothingBack'
      /\ ConflictsRemembered' /\ CertifiedDoNotOverlap' /\ AnsweredBefore' /\ TypeOKStatus'
      /\ TypeOKReadTs' /\ TypeOKCommitTs' /\ TypeOKWrites' /\ TypeOKDeletes' /\ TypeOKUnanswered' /\ TypeOKTodo' /\ TypeOKClock'
      /\ TypeOKLastCommit' /\ TypeOKLowWatermark' /\ TypeOKStored' /\ TypeOKCommitTable' /\ TypeOKWatermark'
      /\ TypeOKInspected' /\ TypeOKLatePuts' /\ TypeOKLateEntries' /\ TypeOKCommitted' /\ TypeOKPrecedes' /\ TypeOKFaults'
      /\ FunDeletes' /\ FunUnanswered' /\ FunTodo' /\ FunCommitTable'
  BY Zenon, <1>s, Frames
<1> QED
  BY Zenon, <1>f, <1>r, <1>t, <1>2, <1>3, <1>4, <1>5 DEF ReadPart
================================================================================
