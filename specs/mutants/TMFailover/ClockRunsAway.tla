---- MODULE ClockRunsAway ----
\* removes: Rates
\* dies: OneLeads
\* model: Drift2
\* override: Rates <- Without
\* why: Beyond the tolerated drift there is no safety: a challenger whose clock gains more than the bound
\*   has waited for less than a lease.
EXTENDS MCTMFailover

Without == MinRate..(2 * MaxRate)
====
