---- MODULE TakesFastWrites ----
\* removes: NoFastWrites
\* dies: IndexIsFunction
\* model: Fast1x1
\* override: NoFastWrites <- Without
\* why: A fast-path write of an indexed row has no index record, and nobody refuses it: it never comes to the
\*   transaction manager.
EXTENDS MCIndexFence

Without(k) == TRUE
====
