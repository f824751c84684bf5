---- MODULE MCToy ----
EXTENDS Toy, TLC

Symmetry == Permutations(Client)

\* Prints what was reached.
Witnesses ==
    /\ (\A c \in Client : phase[c] = "done") => PrintT("WITNESS all done")
    /\ Cardinality({c \in Client : phase[c] = "asking"}) > 1 => PrintT("WITNESS two wait")
====
