---- MODULE BuildsBelowFence ----
\* removes: BeginsAboveFence
\* dies: IndexIsFunction
\* model: Build1x1
\* override: BeginsAboveFence <- Without
\* why: The build reads the table, then somebody commits who never met the trigger, then the fence comes, and refuses
\*   nobody.
EXTENDS MCIndexFence

Without == TRUE
====
