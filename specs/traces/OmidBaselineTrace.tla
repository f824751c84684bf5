---------------------------- MODULE OmidBaselineTrace ----------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OmidBaseline?                        *)
(*                                                                         *)
(* Such traces are of Apache Omid in its default mode, by its own client:  *)
(* of several transactions that are open at a time, all by one thread. Its *)
(* public interfaces tell what users do and are told, and what is in the   *)
(* table in the end. So an operation is one event, and its steps are       *)
(* silent, but for the last; they are taken as soon as they can be, since  *)
(* nothing else goes on. Timestamps are ranks: the spec only compares them.*)
(*                                                                         *)
(* So far a trace has no faults: Java (OmidBaselineFormat) says so of      *)
(* others. It has no deletions, no collector, and one epoch.               *)
(***************************************************************************)
EXTENDS OmidBaseline, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one.             *)

OnBegin(e) ==
    /\ e.txn = clock + 1
    /\ Begin(e.txn)

\* The put is answered.
OnWrite(e) ==
    /\ status[e.txn] = "active"
    /\ e.key \in writes[e.txn] /\ e.key \notin unanswered[e.txn]
    /\ UNCHANGED vars

Found(e) == \E r \in reads[e.txn] : r.key = e.key /\ r.from = e.from /\ (r.own <=> e.key \in writes[e.txn])

\* The read has come to its end, and found this transaction's value, or none.
OnRead(e) ==
    /\ status[e.txn] = "active"
    /\ cursor[e.txn].step = "none"
    /\ Found(e)
    /\ UNCHANGED vars

OnEndReadOnly(e) == EndReadOnly(e.txn)

OnRollback(e) == Rollback(e.txn)

Refused == 0

\* The client is told of its commit, or of a conflict: nobody else makes it abort.
OnAnswerCommit(e) ==
    /\ e.answer > Refused => commitTs[e.txn] = e.answer
    /\ e.answer = Refused => status[e.txn] = "aborted"
    /\ IF e.answer = Refused THEN UNCHANGED vars ELSE AnswerCommit(e.txn) /\ status'[e.txn] = "committed"

\* The account: what is in the table. A commit cell may be written later.
OnRecord(e) ==
    /\ e.gone <=> e.met \notin stored[e.key]
    /\ e.commit \in {NoTs, commitTs[e.met]}
    /\ e.commit > NoTs => e.met \in committed
    /\ UNCHANGED vars

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "Write" -> OnWrite(e)
      [] e.action = "Read" -> OnRead(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "AnswerCommit" -> OnAnswerCommit(e)
      [] e.action = "Record" -> OnRecord(e)

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

\* What is left of transactions that are over: a client ends it before it does anything else.
Unfinished == {t \in Txn : status[t] \in {"committed", "aborted"} /\ (todo[t] # {} \/ status[t] = "committed")}

\* One after the other.
Finish ==
    LET t == CHOOSE x \in Unfinished : \A y \in Unfinished : readTs[x] <= readTs[y]
    IN  IF todo[t] = {} THEN RemoveCommitEntry(t)
        ELSE LET k == CHOOSE x \in todo[t] : TRUE IN PostCommit(t, k) \/ CleanUp(t, k)

SilentWrite(e) ==
    /\ e.action = "Write"
    /\ e.key \notin writes[e.txn]
    /\ Write(e.txn, e.key, "value")

\* A step of the read that ends with e; at its beginning only if it has not been done before.
SilentRead(e) ==
    LET t == e.txn
    IN  /\ e.action = "Read"
        /\ IF cursor[t].step = "none"
           THEN ~Found(e) /\ (GetRecord(t, e.key) \/ ReadOwnWrite(t, e.key))
           ELSE GetRecord(t, e.key) \/ GetCommitEntry(t) \/ ReReadRecord(t) \/ HealCommitCell(t) \/ InvalidatePending(t)

\* The transaction manager decides, and writes its batch.
SilentCommit(e) ==
    /\ e.action = "AnswerCommit"
    /\ RequestCommit(e.txn) \/ WriteEntry(e.txn)

Silent(e) == IF Unfinished # {} THEN Finish ELSE SilentWrite(e) \/ SilentRead(e) \/ SilentCommit(e)

-----------------------------------------------------------------------------

TraceInit == Init /\ RecordedInit

Known(e) == e.txn \in Txn \/ (e.action = "Record" /\ e.met \in Txn)

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  Known(e) /\ ((Unfinished = {} /\ Matches(e) /\ Advances) \/ (Silent(e) /\ Waits))

\* What the rest of the search depends on.
Searched ==
    <<trace, matched, status, readTs, commitTs, writes, unanswered, todo, cursor, clock, lastCommit, stored, commitCell, commitTable, committed,
      reads, batch, taken>>
================================================================================
