------------------------------- MODULE Recorded -------------------------------
(***************************************************************************)
(* What all trace specs have in common: recorded traces, how far each of   *)
(* them is matched, and what it tells later. Java (TraceOverrides) stands  *)
(* in for the operators; it has held each event against the fields of its  *)
(* action, and the number of events against the trace's own count.         *)
(*                                                                         *)
(* A trace spec is the spec with two variables more. A step matches the    *)
(* next event e, or it is silent: something that nobody logs, and only if  *)
(* e cannot be without it. So there is hardly anything to search. For each *)
(* action A there is an operator OnA(e), whose conditions come first: a    *)
(* rejection names the false one.                                          *)
(***************************************************************************)
EXTENDS Integers, Sequences

\* The recorded traces, each a sequence of records; those of a run of TLC have the same constants.
Traces == <<>>

\* A constant of theirs.
Constant(name) == 0

\* The names of this kind in any of them.
Names(kind) == {}

\* What they tell of a transaction and a key, the same wherever it is told: a function of the two.
Function(name) == <<>>

\* In the rest of a trace, after so many events, stands this of t and k.
Tells(number, events, what, t, k) == FALSE

\* Notes how far a trace has been matched; FALSE when there is nothing more to find out about it.
Reached(number, events) == TRUE

VARIABLES
    \* Which of the traces.
    trace,
    \* How many of its events are matched.
    matched

Events == Traces[trace]

RecordedInit ==
    /\ trace \in DOMAIN Traces
    /\ matched = 0

\* One more event is matched.
Advances ==
    /\ matched' = matched + 1
    /\ UNCHANGED trace

\* A silent step.
Waits == UNCHANGED <<trace, matched>>

\* The search ends for a trace that is matched to its end.
GoesOn == Reached(trace, matched)
================================================================================
