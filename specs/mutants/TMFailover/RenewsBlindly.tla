---- MODULE RenewsBlindly ----
\* removes: ReplacesWhatItSaw
\* dies: OneLeads
\* model: Drift2
\* override: ReplacesWhatItSaw <- Without
\* why: A holder who renews without naming the version that it replaces takes the lease back from its
\*   successor, and both lead.
EXTENDS MCTMFailover

Without(i) == i \in current \/ role[i] = "primary"
====
