-------------------------------- MODULE Toy --------------------------------
(* A lock server, for the tests of the runner: clients ask, the server grants, a client that holds the lock writes a key and is done. *)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
  \* @type: Set(CLIENT);
  Client,
  \* @type: Set(KEY);
  Key

\* What each client is doing.  Lane: client
\* @type: CLIENT -> Str;
VARIABLE phase
TypeOKPhase == phase \in [Client -> {"idle", "asking", "holding", "done"}]

\* The clients that hold the lock, as the server sees it.  Lane: TM
VARIABLE holder
TypeOKHolder == holder \subseteq Client

\* The last value written to each key, and by whom.  Lane: key
VARIABLE store
TypeOKStore == store \in [Key -> [by : Client \cup {"nobody"}, n : Nat]]

\* Who wrote what, in order. History, read by properties only.  Lane: none
VARIABLE history
TypeOKHistory == history \in Seq(Client \X Key)

vars == <<phase, holder, store, history>>
TypeOK == TypeOKPhase /\ TypeOKHolder /\ TypeOKStore /\ TypeOKHistory

\* Guard (VLDB'18 Alg. 9, Grant): nobody else holds the lock. Without it two clients write at once.
LockFree(c) == holder = {}

\* Guard (VLDB'18 Alg. 9, Grant): only clients that asked are served.
Asked(c) == phase[c] = "asking"

Init ==
    /\ phase = [c \in Client |-> "idle"]
    /\ holder = {}
    /\ store = [k \in Key |-> [by |-> "nobody", n |-> 0]]
    /\ history = <<>>

\* A client asks for the lock.  VLDB'18 Alg. 9, Ask
Ask(c) ==
    /\ phase[c] = "idle"
    /\ phase' = [phase EXCEPT ![c] = "asking"]
    /\ UNCHANGED <<holder, store, history>>

\* The server grants the lock to a client.  VLDB'18 Alg. 9, Grant
Grant(c) ==
    /\ Asked(c)
    /\ LockFree(c)
    /\ phase' = [phase EXCEPT ![c] = "holding"]
    /\ holder' = holder \cup {c}
    /\ UNCHANGED <<store, history>>

\* A client that holds the lock writes a key and releases.  VLDB'18 Alg. 9, Release
Release(c, k) ==
    /\ phase[c] = "holding"
    /\ phase' = [phase EXCEPT ![c] = "done"]
    /\ holder' = holder \ {c}
    /\ store' = [store EXCEPT ![k] = [by |-> c, n |-> store[k].n + 1]]
    /\ history' = Append(history, <<c, k>>)

Next ==
    \/ \E c \in Client : Ask(c) \/ Grant(c)
    \/ \E c \in Client, k \in Key : Release(c, k)

Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

\* Two clients never hold the lock at once. When it fails, one client overwrites what the other just wrote.
MutualExclusion == Cardinality(holder) <= 1

\* Nobody holds the lock without having asked for it. When it fails, idle clients block the others.
OnlyAskers == [][\A c \in holder' \ holder : phase[c] = "asking"]_vars

\* Every client finishes. When it fails, somebody waits for ever.
AllDone == <>(\A c \in Client : phase[c] = "done")
=============================================================================
