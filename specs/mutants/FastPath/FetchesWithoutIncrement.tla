---- MODULE FetchesWithoutIncrement ----
\* removes: NextVersion
\* dies: NoTies
\* model: Plain1x2
\* override: NextVersion <- Without
\* why: Two writes that fetch without incrementing draw the same version: one of them replaces the other.
EXTENDS MCFastPath

Without(k) == IF lvc[host[k]] % Span = 0 THEN lvc[host[k]] + 1 ELSE lvc[host[k]]
====
