---- MODULE GoesOnAfterRefusedSwap ----
\* removes: Halt
\* dies: FirstCommitterWins
\* model: Failover2x2
\* override: Halt <- Without
\* why: A primary whose swap was refused reads maxTS again and goes on, instead of halting. It had taken up
\*   a commit request before its lease ended; its conflict table knows nothing of what its successor has
\*   let commit since.
EXTENDS MCTMFailover

Without(i) == 
    /\ call[i] = "swapRefused"
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ epoch' = [epoch EXCEPT ![i] = maxTs]
    /\ clock' = [clock EXCEPT ![i] = maxTs]
    /\ UNCHANGED <<zooKeeper, role, age, sentAge, lastCommit, lowWatermark, desk, answers, client, history>>
====
