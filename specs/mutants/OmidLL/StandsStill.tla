---- MODULE StandsStill ----
\* removes: IsBelowLast
\* dies: ReadEnds
\* model: Progress2x1
\* override: IsBelowLast <- Without
\* why: A traversal that meets an aborted record again after skipping it never ends.
EXTENDS MCProgress

Without(w, last) == readTs[w] <= readTs[last]
====
