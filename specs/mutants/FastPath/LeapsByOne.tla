---- MODULE LeapsByOne ----
\* removes: NextTs
\* dies: VersionsTell
\* model: Forged1x1
\* override: NextTs <- Without
\* why: A transaction manager that counts by one, where servers count in between: a regular transaction has the number that a
\*   fast-path write has drawn, and one overwrites the other.
EXTENDS MCFastPath

Without == clock + 1
====
