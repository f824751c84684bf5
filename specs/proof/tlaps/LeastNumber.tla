------------------------------ MODULE LeastNumber ------------------------------
(***************************************************************************)
(* Each set of numbers that is not empty has a least element: what the     *)
(* induction of make prove comes to in the TLA+ proof system, which does   *)
(* not let a lemma about operators be used without Isabelle.               *)
(***************************************************************************)
EXTENDS TLAPS, WellFoundedInduction

\* Each set of numbers that is not empty has a least element.
LEMMA HasLeast == \A S : S \subseteq Nat /\ S # {} => \E a \in S : \A b \in S : a <= b
<1> SUFFICES ASSUME NEW S, S \subseteq Nat, S # {} PROVE \E a \in S : \A b \in S : a <= b
  BY Zenon
<1> DEFINE R == OpToRel(<, Nat)
<1>1. IsWellFoundedOn(R, Nat)
  BY Zenon, NatLessThanWellFounded
<1>2. \A a \in Nat, b \in Nat : a < b => <<a, b>> \in R
  BY DEF OpToRel
<1> HIDE DEF R
<1>3. PICK a \in S : \A b \in S : ~(<<b, a>> \in R)
  BY Zenon, <1>1, WFMin
<1>4. ASSUME NEW b \in S PROVE a <= b
  <2>1. a \in Nat /\ b \in Nat
    OBVIOUS
  <2>2. ~(b < a)
    BY Zenon, <1>2, <1>3, <2>1
  <2> QED
    BY <2>1, <2>2
<1> QED
  BY <1>4
================================================================================
