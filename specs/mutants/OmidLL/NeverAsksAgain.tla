---- MODULE NeverAsksAgain ----
\* removes: AwaitsEntry
\* dies: CommitEnds
\* model: Progress2x1
\* override: AwaitsEntry <- Without
\* why: A client that waits for an answer that was lost, instead of asking again, hangs in commit.
EXTENDS MCProgress

Without(t) == status[t] = "certified"
====
