---- MODULE ClockFromServers ----
\* removes: ClockAfterRecovery
\* dies: DisjointWrites
\* model: Recovery2x1
\* override: ClockAfterRecovery <- Without
\* why: The clock starts ahead of the log and of all servers, as the paper has it. A timestamp that was given,
\*   and has fenced nobody yet, is given again: one transaction commits at the timestamp at which another one
\*   starts, and each takes the other for no conflict.
EXTENDS MCMediator

Greatest(S) == CHOOSE x \in S : \A y \in S : y <= x
Without ==
    LET seen == {0} \cup {local[s] : s \in Server} \cup {commitTs[t] : t \in {u \in Txn : log[u] = "commit"}}
    IN  (Greatest(seen) \div Delta + 1) * Delta
====
