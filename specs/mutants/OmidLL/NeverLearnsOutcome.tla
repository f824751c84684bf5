---- MODULE NeverLearnsOutcome ----
\* removes: Outcome
\* dies: AbortsHaveReason
\* model: Progress2x1
\* override: Outcome <- Without
\* why: A client whose commit-table write was not answered, and who calls the outcome unknown whatever he finds.
EXTENDS MCProgress

Without(t) == IF TakesEntry(t) THEN "committed" ELSE IF status[t] = "unknown" THEN "unresolved" ELSE "aborted"
====
