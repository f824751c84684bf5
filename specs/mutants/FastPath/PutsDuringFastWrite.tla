---- MODULE PutsDuringFastWrite ----
\* removes: NoFastWriteInRow
\* dies: FirstCommitterWins
\* model: Plain1x2
\* override: NoFastWriteInRow <- Without
\* why: A put that does not wait for the row lock looks before the fast-path write is stored, and the fast-
\*   path write has looked before the put: neither sees the other, and both overwrite what they have not
\*   seen.
EXTENDS MCFastPath

Without(k) == TRUE
====
