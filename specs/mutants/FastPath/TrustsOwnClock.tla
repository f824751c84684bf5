---- MODULE TrustsOwnClock ----
\* removes: BootstrappedAfterOpening
\* dies: SameKeyOrder
\* model: Regions1x2
\* override: BootstrappedAfterOpening <- Without
\* why: A server that opens a region, and takes it for known because its own clock is running, draws
\*   versions that the server before it has passed.
EXTENDS MCFastPath

Without(keys) == bootstrapped
====
