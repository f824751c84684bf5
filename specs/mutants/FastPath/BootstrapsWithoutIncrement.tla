---- MODULE BootstrapsWithoutIncrement ----
\* removes: BootstrapTs
\* dies: SameKeyOrder
\* model: Regions1x2
\* override: BootstrapTs <- Without
\* why: The transaction manager tells its clock without incrementing it: the server that had the region
\*   before may have drawn versions above it.
EXTENDS MCFastPath

Without == clock
====
