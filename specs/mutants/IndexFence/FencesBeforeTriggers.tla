---- MODULE FencesBeforeTriggers ----
\* removes: TriggersEverywhere
\* dies: IndexIsFunction
\* model: Build1x1
\* override: TriggersEverywhere <- Without
\* why: The fence is there before the trigger: who begins above it and puts before the trigger is there commits, and
\*   nobody writes his index record.
EXTENDS MCIndexFence

Without == TRUE
====
