---- MODULE CleansLastLevelOnly ----
\* removes: Cleans
\* dies: LeftoversVanish
\* model: Progress1x1
\* override: Cleans <- Without
\* why: The collector removes what is on top of a dead transaction's levels, and leaves the others for ever.
EXTENDS MCProgress

Without(k, r) == r.ts # BaseOf(r.ts)
====
