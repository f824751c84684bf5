----------------------------- MODULE MCClockBound -----------------------------
(* Witnesses for the models of ClockBound.                                     *)
EXTENDS ClockBound, Sequences, TLC

Lies == TRUE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..5 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (cond /\ TLCGet(i) = FALSE) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "AskedTwice",
               \E r \in Read : read[r] = "new" /\ question = "answered" /\ ~Covers(answer, r))
    /\ Witness(2, "WriterNeedNotAsk",
               \E r \in OfWriter : read[r] = "served" /\ snapshot[r] >= known.next)
    /\ Witness(3, "AnsweredByOldManager",
               question = "answered" /\ answer.limit < next)
    /\ Witness(4, "LiftedByStranger",
               lvc > 0 /\ \A r \in Read : read[r] # "served")
    /\ Witness(5, "FutureByLie",
               lvc >= next)
=============================================================================
