---- MODULE ChecksBeforeFence ----
\* removes: IsSealed
\* dies: DisjointWrites
\* model: Social1x1
\* override: IsSealed <- Without
\* why: The server looks for native puts and is fenced after that. What is put in between is stamped below the
\*   commit timestamp and never found. The transaction waits for both, but in the wrong order.
EXTENDS MCMediator

Without(t, k) == TRUE
====
