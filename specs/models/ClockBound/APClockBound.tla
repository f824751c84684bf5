----------------------------- MODULE APClockBound -----------------------------
(* An inductive invariant of ClockBound: three reads, and timestamps and ranges of any size. *)
EXTENDS ClockBound

ConstInit ==
    /\ Read = {"r1_OF_READ", "r2_OF_READ", "r3_OF_READ"}
    /\ OfWriter \in SUBSET Read
    /\ Range \in Nat /\ MaxTs \in Nat
    /\ 0 < Range /\ Range < MaxTs

\* Whatever it may be; TypeOK, which has the bounds, has to come after it.
Anything ==
    /\ next \in Nat /\ limit \in Nat /\ lvc \in Nat
    /\ \E n \in Nat, l \in Nat : known = [next |-> n, limit |-> l]
    /\ \E n \in Nat, l \in Nat : answer = [next |-> n, limit |-> l]
    /\ snapshot \in [Read -> Nat]

\* What the TM tells was so at some time, and only grows.
\* @type: ({ next: Int, limit: Int }) => Bool;
Told(told) == told.next <= told.limit /\ told.next <= next /\ told.limit <= limit

Inductive ==
    /\ TypeOK
    /\ ClockBounded /\ ClockBelowLimit /\ NobodyRefused
    /\ next <= limit
    /\ Told(known) /\ Told(answer)
    /\ \A r \in Read : snapshot[r] < next
    \* Who waited when the question was sent is covered by its answer.
    /\ question = "answered" => \A r \in Read : read[r] = "asked" => snapshot[r] < answer.next

Assumed == Anything /\ Inductive
=============================================================================
