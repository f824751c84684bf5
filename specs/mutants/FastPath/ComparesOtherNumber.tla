---- MODULE ComparesOtherNumber ----
\* removes: IsSame
\* dies: FastPathOpens
\* model: Progress1x1
\* override: IsSame <- Without
\* why: If br tells the version of a record, and wc compares it with the commit timestamp, the two differ
\*   for each regular record: no fast-path update of the key passes ever again.
EXTENDS MCFastProgress

Without(last, k) == last = NoTs \/ \E w \in Finished(k) : IsLast(w, k) /\ readTs[w] = last
====
