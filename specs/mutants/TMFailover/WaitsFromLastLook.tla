---- MODULE WaitsFromLastLook ----
\* removes: AgeAfterLook
\* dies: ServesAgain
\* model: Progress2
\* override: AgeAfterLook <- Without
\* why: A backup that begins to wait anew whenever it looks never challenges anybody: after the primary's
\*   death the service stays down.
EXTENDS MCProgress

Without(i) == 0
====
