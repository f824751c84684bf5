---- MODULE NoChallengerWait ----
\* removes: WaitedOut
\* dies: StrongSI
\* model: Failover2x2
\* override: WaitedOut <- Without
\* why: A backup takes over while the lease still lasts. Its clients commit and say so; a transaction that
\*   begins after that gets an older timestamp from the old primary, and does not see them.
EXTENDS MCTMFailover

Without(i) == TRUE
====
