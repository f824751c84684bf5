---- MODULE StartsOver ----
\* removes: AlreadyPopulated
\* dies: BuildEnds
\* model: Progress0x2
\* override: AlreadyPopulated <- Nothing
\* why: Each part begins with the first row again. What takes longer than a transaction may live is never done.
EXTENDS MCProgress

Nothing == {}
====
