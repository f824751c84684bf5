---- MODULE ComparesWithReadPoint ----
\* removes: Bound
\* model: Fast1x1
\* override: Bound <- Without
\* survives: Between the read timestamp and the read point there are, by the rule, but the transaction's own levels, which
\*   are not compared with it. Without the rule (DrawsLevels) fast-path writes would come in between.
EXTENDS MCCheckpoints

Without(t) == ReadPoint(t) + 1
====
