---- MODULE RefusalTakenForAbort ----
\* removes: RefusalDecides
\* dies: AnswersTrue
\* model: Collect2x1
\* override: RefusalDecides <- Without
\* why: A client whose first commit-table write was not answered asks again, below the watermark, and is
\*   refused. The first write may have committed, and its entry may be collected: to report an abort, and
\*   to clean up, destroys a committed transaction.
EXTENDS MCOmidLL

Without(t) == TRUE
====
