------------------------------ MODULE MaxVersion ------------------------------
(***************************************************************************)
(* What the fast path needs of a clock (VLDB'18 section 4.2): for each key *)
(* a maxVersion that no read and no commit of the key has passed, from     *)
(* which fast-path writes draw versions, and which never reaches the next  *)
(* timestamp of the transaction manager (TM).                              *)
(*                                                                         *)
(* It may run ahead without need. That is what lets a server keep one      *)
(* clock for all its keys, and lose it: FastPath.tla refines this module   *)
(* (RefinesMaxVersion).                                                    *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
    \* @type: Set(KEY);
    Key,
    \* The distance of two timestamps of the TM.
    \* @type: Int;
    Span

\* The last timestamp given by the TM.  Lane: TM
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat

\* Each key's clock.  VLDB'18 sec. 4.2  Lane: key
VARIABLE
    \* @type: KEY -> Int;
    maxVersion
TypeOKMaxVersion == maxVersion \in [Key -> Nat]

\* The latest snapshot in which the key was read.  Lane: key
VARIABLE
    \* @type: KEY -> Int;
    snapshot
TypeOKSnapshot == snapshot \in [Key -> Nat]

\* The latest commit timestamp that stands in a commit cell of the key.  Lane: key
VARIABLE
    \* @type: KEY -> Int;
    commit
TypeOKCommit == commit \in [Key -> Nat]

\* The version that was drawn for the key and is not stored; zero where there is none.  Lane: key
VARIABLE
    \* @type: KEY -> Int;
    drawn
TypeOKDrawn == drawn \in [Key -> Nat]

vars == <<clock, maxVersion, snapshot, commit, drawn>>

TypeOK == TypeOKClock /\ TypeOKMaxVersion /\ TypeOKSnapshot /\ TypeOKCommit /\ TypeOKDrawn

Init ==
    /\ clock = 0
    /\ maxVersion = [k \in Key |-> 0]
    /\ snapshot = [k \in Key |-> 0]
    /\ commit = [k \in Key |-> 0]
    /\ drawn = [k \in Key |-> 0]

\* In every step clocks go forward only, and stay below the next timestamp.
Forward ==
    /\ TypeOKClock' /\ clock' >= clock
    /\ TypeOKMaxVersion'
    /\ \A k \in Key : maxVersion'[k] >= maxVersion[k] /\ maxVersion'[k] < clock' + Span

\* Only this key's entry changes.
Only(f, g, k) == \A x \in Key \ {k} : f[x] = g[x]

\* A regular read of the key.  VLDB'18 Alg. 4, preGet
Read(k) ==
    /\ TypeOKSnapshot'
    /\ snapshot[k] < snapshot'[k] /\ snapshot'[k] <= maxVersion'[k]
    /\ Only(snapshot, snapshot', k)
    /\ UNCHANGED <<commit, drawn>>

\* A commit cell is written.  VLDB'18 Alg. 4, preUpdate
Update(k) ==
    /\ TypeOKCommit'
    /\ commit[k] < commit'[k] /\ commit'[k] <= maxVersion'[k]
    /\ Only(commit, commit', k)
    /\ UNCHANGED <<snapshot, drawn>>

\* A fast-path write draws its version.  VLDB'18 Alg. 4, line 14
Draw(k) ==
    /\ TypeOKDrawn'
    /\ drawn[k] = 0
    /\ maxVersion[k] < drawn'[k] /\ drawn'[k] = maxVersion'[k]
    /\ Only(drawn, drawn', k)
    /\ UNCHANGED <<snapshot, commit>>

\* It is stored: no later commit has come between.  VLDB'18 Alg. 4, line 15
Store(k) ==
    /\ TypeOKCommit' /\ TypeOKDrawn'
    /\ drawn[k] > commit[k]
    /\ commit'[k] = drawn[k] /\ drawn'[k] = 0
    /\ Only(commit, commit', k) /\ Only(drawn, drawn', k)
    /\ UNCHANGED snapshot

\* Versions drawn and not stored are lost with their server, and no other ones.
Lose ==
    /\ TypeOKDrawn'
    /\ \A k \in Key : drawn'[k] \in {drawn[k], 0}
    /\ UNCHANGED <<snapshot, commit>>

\* A commit cell is collected.
Collect(k) ==
    /\ TypeOKCommit'
    /\ commit'[k] < commit[k]
    /\ Only(commit, commit', k)
    /\ UNCHANGED <<snapshot, drawn>>

Next ==
    /\ Forward
    /\ Lose \/ \E k \in Key : Read(k) \/ Update(k) \/ Draw(k) \/ Store(k) \/ Collect(k)

Spec == Init /\ [][Next]_vars
=============================================================================
