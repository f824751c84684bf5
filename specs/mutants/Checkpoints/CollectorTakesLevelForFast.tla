---- MODULE CollectorTakesLevelForFast ----
\* removes: CollectorSaysFast
\* dies: Snapshot
\* model: Collect3x1
\* override: CollectorSaysFast <- Without
\* why: A dead transaction's level counts as committed for the collector, which removes the version below it: the value
\*   that everybody else reads is gone.
EXTENDS MCCheckpoints

Without(v) == v % Span # 0
====
