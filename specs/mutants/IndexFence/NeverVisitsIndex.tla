---- MODULE NeverVisitsIndex ----
\* removes: VisitsIndex
\* dies: LeftoversVanish
\* model: Leftovers1x1
\* override: VisitsIndex <- Without
\* why: A dead writer's records in the index are in no write set that anybody knows, and stay for ever.
EXTENDS MCProgress

Without(k) == k \in Row
====
