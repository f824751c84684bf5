---- MODULE DeadReadersHoldWatermark ----
\* removes: Forgets
\* dies: LeftoversVanish
\* model: Progress2x1
\* override: Forgets <- Without
\* why: A transaction manager that waits for dead readers never raises the watermark: what dead clients left
\*   stays for ever, and every reader of the key pays for it.
EXTENDS MCProgress

Without(t) == FALSE
====
