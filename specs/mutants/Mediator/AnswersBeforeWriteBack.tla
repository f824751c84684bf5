---- MODULE AnswersBeforeWriteBack ----
\* removes: IsWrittenBack
\* dies: SnapshotItemOrder
\* model: Stamps1x1
\* override: IsWrittenBack <- Without
\* why: A commit is answered when it is in the log. The user then gets the key natively, and does not find what
\*   he has written.
EXTENDS MCMediator

Without(t) == TRUE
====
