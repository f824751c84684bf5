---- MODULE StoresOverNewerVersion ----
\* removes: NoNewerCommit
\* dies: FirstCommitterWins
\* model: Fast1x1
\* override: NoNewerCommit <- Without
\* why: The fast path has written the key after the transaction began, and was answered. The batch is put below it, with
\*   a later commit timestamp: whose update is lost depends on who reads.
EXTENDS MCOnePhase

Without(t) == TRUE
====
