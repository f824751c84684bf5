---- MODULE AnswersByAbsence ----
\* removes: EntryAfterAnswer
\* dies: AnswersTrue
\* model: Progress2x1
\* override: EntryAfterAnswer <- Without
\* why: A client asks the next manager, which finds no entry and says that it was aborted. Then the entry arrives.
EXTENDS MCOmidBaseline

Without(t) == NoTs
====
