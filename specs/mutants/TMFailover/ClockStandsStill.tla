---- MODULE ClockStandsStill ----
\* removes: Rates
\* dies: OneLeads
\* model: Drift2
\* override: Rates <- Without
\* why: Beyond the tolerated drift there is no safety: a clock that stands still, as one does that does not
\*   count while the machine is suspended, holds a lease for ever.
EXTENDS MCTMFailover

Without == 0..MaxRate
====
