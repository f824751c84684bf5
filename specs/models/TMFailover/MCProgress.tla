------------------------------ MODULE MCProgress ------------------------------
(* Liveness of TMFailover. Time waits for everybody who has something to do,   *)
(* but for so many pauses, which count as faults: if all paused all the time,  *)
(* nobody would ever hold a lease long enough.                                 *)
EXTENDS MCTMFailover

\* Nobody has anything to do but wait.
Punctual ==
    \A i \in Tm :
        /\ call[i] = "none" /\ role[i] # "halted"
        /\ role[i] = "backup" => i \in current /\ ~WaitedOut(i) /\ ~OwnLease(i)
        /\ role[i] = "primary" => age[i] = 0 /\ i \in current /\ WithinEpoch(i)

\* Time goes by all the same.
Pause ==
    /\ \E rate \in [Tm -> Rates] : Advance(rate)
    /\ faults' = faults + 1
    /\ UNCHANGED <<zooKeeper, role, call, memory, desk, answers, client, committed, precedes, floor, given>>

\* Who halted is started again, who died perhaps never.
PunctualNext ==
    \/ \E i \in Tm : TmStep(i)
    \/ Aftermath
    \/ Punctual /\ Time
    \/ faults < MaxFaults /\ Fault
    \/ faults < MaxFaults /\ Pause

PunctualSpec ==
    /\ Init /\ [][PunctualNext]_vars
    /\ \A i \in Tm : WF_vars(TmStep(i)) /\ WF_vars(role[i] = "halted" /\ Restart(i))
    /\ WF_vars(Punctual /\ Time)
=============================================================================
