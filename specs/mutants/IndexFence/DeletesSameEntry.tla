---- MODULE DeletesSameEntry ----
\* removes: Obsolete
\* dies: IndexIsFunction
\* model: Same1x1
\* override: Obsolete <- Without
\* why: The row is overwritten with the value that it has; the trigger deletes the index record of the old value, which is
\*   that of the new one.
EXTENDS MCIndexFence

Without(t, k) == {IndexKey[<<r.from, k>>] : r \in {x \in OldOf(t, k) : x.from # NoTxn}}
====
