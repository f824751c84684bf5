---- MODULE AnswersWhatItSent ----
\* removes: WasTaken
\* dies: AnswersTrue
\* model: Collect2x1
\* override: WasTaken <- Without
\* why: The manager has sent the entry, and answers before it knows that the commit table has refused it, since a reader of the
\*   next epoch has come before.
EXTENDS MCOmidBaseline

Without(t) == TRUE
====
