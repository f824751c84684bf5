---- MODULE CollectsYoungMarker ----
\* removes: EntryIsSettled
\* dies: AnswersTrue
\* model: Collect2x1
\* override: EntryIsSettled <- Without
\* why: A marker that is collected while its transaction can still commit lets the commit through after a
\*   reader has skipped it.
EXTENDS MCOmidLL

Without(t) == TRUE
====
