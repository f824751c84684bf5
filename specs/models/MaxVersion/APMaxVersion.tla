----------------------------- MODULE APMaxVersion -----------------------------
(* What MaxVersion promises of its clocks, by induction: two keys, and timestamps and spans of any size. *)
EXTENDS MaxVersion

ConstInit ==
    /\ Key = {"k1_OF_KEY", "k2_OF_KEY"}
    /\ Span \in Nat
    /\ 0 < Span

\* No read and no commit of a key has passed its clock, which is below the TM's next timestamp.
Inductive ==
    /\ TypeOK
    /\ \A k \in Key :
        /\ snapshot[k] <= maxVersion[k] /\ commit[k] <= maxVersion[k] /\ drawn[k] <= maxVersion[k]
        /\ maxVersion[k] < clock + Span

Assumed == Inductive
=============================================================================
