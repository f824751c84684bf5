---- MODULE NobodySyncs ----
\* removes: SyncServer
\* dies: NativesGoOn
\* model: Progress1x1
\* override: SyncServer <- Without
\* why: A server that was started again, or has drawn all its stamps, waits for a transaction to come by.
EXTENDS MCMediator

Without(s) == FALSE
====
