---- MODULE InvalidatesYounger ----
\* removes: OlderRecords
\* dies: AbortsHaveReason
\* model: Plain2x2
\* override: OlderRecords <- Without
\* why: A reader that begins at the newest record of all invalidates transactions that its snapshot cannot have: writers are aborted by
\*   readers who began before them.
EXTENDS MCOmidLL

Without(t, k) ==
    {w \in stored[k] : cursor[t].step # "none" => IsBelowLast(w, cursor[t].met)}
====
