----------------------------- MODULE TMFailoverInv -----------------------------
(***************************************************************************)
(* An inductive invariant of the failover of the transaction manager (TM): *)
(* no two TMs believe that they lead, and no timestamp is given twice, for *)
(* any number of TMs and transactions, any length of the lease and of      *)
(* epochs, and any drift of the clocks that is tolerated. docs/proof.md    *)
(* tells it as a story.                                                    *)
(***************************************************************************)
EXTENDS TMFailover

\* What is assumed of the constants; sets may have any number of elements, none included.
Constants ==
    /\ NoTm \notin Tm
    /\ 0 < MinRate /\ MinRate <= MaxRate
    /\ 0 < Lease /\ 0 < Leap /\ 0 <= Range

-----------------------------------------------------------------------------
(* The lease *)

\* Nothing is younger than nothing.
AgesPositive == \A i \in Tm : 0 <= age[i] /\ 0 <= sentAge[i]

\* As far as it knows, i's lease is over, and will be when it hears of a write that it waits for.
Over(i) ==
    /\ role[i] = "primary" => age[i] >= Lease
    /\ call[i] = "leaseWritten" => sentAge[i] >= Lease

\* Who is not the holder does not lead.
OnlyHolderLeads == \A i \in Tm : i # holder => Over(i)

\* Nor does the holder, if somebody else may still replace what he wrote.
ReplacedWhenOver ==
    \A i \in Tm, h \in Tm : i # holder /\ (i \in strayWrites \/ (call[i] = "lease" /\ i \in current)) => Over(h)

\* A primary, or who has just written the lease, knows its present version only if it is its own.
OwnVersion == \A i \in current : role[i] = "primary" \/ call[i] = "leaseWritten" => i = holder

\* A backup has not seen the present version for longer than its holder has it; both by clocks that drift.
SeenLater ==
    \A i \in current, h \in Tm :
        role[i] = "backup" /\ i # holder /\ h = holder =>
            /\ role[h] = "primary" /\ age[h] < Lease => age[i] * MinRate <= age[h] * MaxRate
            /\ call[h] = "leaseWritten" /\ sentAge[h] < Lease => age[i] * MinRate <= sentAge[h] * MaxRate

\* Who does not run waits for nothing and knows nothing; only a primary raises maxTS.
StoppedWaitsForNothing ==
    \A i \in Tm :
        /\ ~Runs(i) => call[i] = "none" /\ i \notin current
        /\ call[i] \in {"swap", "swapped", "swapRefused"} => role[i] = "primary"

-----------------------------------------------------------------------------
(* Timestamps *)

\* How far i may go on giving timestamps, once it hears of a swap that it waits for.
End(i) == epoch[i] + (IF call[i] = "swapped" THEN Range ELSE 0)

\* i may not give any.
IsUsedUp(i) == clock[i] = End(i)

\* Nobody gives timestamps beyond its epoch, whose end is durable before it knows it.
Durable == \A i \in Tm : clock[i] <= epoch[i] /\ End(i) <= maxTs

\* Who is no primary has no timestamps to give.
OnlyPrimariesGive == \A i \in Tm : role[i] # "primary" => clock[i] = 0 /\ epoch[i] = 0

\* maxTS never was negative.
MaxTsPositive == 0 <= maxTs

\* What i has still to give nobody else has.
RangesApart ==
    \A i \in Tm, j \in Tm :
        i # j => IsUsedUp(i) \/ IsUsedUp(j) \/ End(i) <= clock[j] \/ End(j) <= clock[i]

\* Nor has it been given.
GivenOutside ==
    \A i \in Tm : \A g \in given : g.ts <= clock[i] \/ End(i) + Leap <= g.ts \/ IsUsedUp(i)

\* A swap of a primary's, of an earlier life even, that may still be executed expects the end of its epoch.
StraySwapsExpectEpoch == \A i \in straySwaps : role[i] = "primary" => epoch[i] = maxTs

\* The primary that raised maxTS last, or may yet do so unknowingly, is ahead of all others: so it may take what it finds for its own.
RaiserIsAhead ==
    \A i \in Tm : role[i] = "primary" /\ (raiser = i \/ i \in straySwaps) =>
        /\ \A j \in Tm : j # i => IsUsedUp(j) \/ End(j) <= clock[i]
        /\ \A g \in given : g.ts <= clock[i]

-----------------------------------------------------------------------------

Inductive ==
    /\ TypeOKRole /\ TypeOKCall /\ TypeOKHolder /\ TypeOKCurrent /\ TypeOKStrayWrites /\ TypeOKStraySwaps /\ TypeOKRaiser
    /\ AgesPositive /\ OnlyHolderLeads /\ ReplacedWhenOver /\ OwnVersion /\ SeenLater /\ StoppedWaitsForNothing
    /\ MaxTsPositive /\ Durable /\ OnlyPrimariesGive /\ RangesApart /\ GivenOutside /\ StraySwapsExpectEpoch /\ RaiserIsAhead
    /\ BelowMaxTs /\ UniqueTimestamps

(* What follows from the invariant, and helps to see that it is kept *)

\* A backup has waited long enough: even by the slowest clock the lease is over.
PatienceSuffices == Lease * MaxRate <= Patience * MinRate

\* So it is with each TM that has waited out.
WaitedOutOutlasts == \A i \in Tm : WaitedOut(i) => Lease * MaxRate <= age[i] * MinRate

\* And as long as a lease lasts, that has not been so.
LeaseLastsShorter ==
    \A h \in Tm :
        /\ age[h] < Lease => age[h] * MaxRate < Lease * MaxRate
        /\ sentAge[h] < Lease => sentAge[h] * MaxRate < Lease * MaxRate

Lemmas == PatienceSuffices /\ WaitedOutOutlasts /\ LeaseLastsShorter

\* What is proved with it.
Promises == OneLeads /\ UniqueTimestamps /\ BelowMaxTs
================================================================================
