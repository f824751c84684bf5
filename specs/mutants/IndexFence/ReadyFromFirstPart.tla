---- MODULE ReadyFromFirstPart ----
\* removes: LatestSnapshot
\* dies: IndexIsFunction
\* model: Parts1x2
\* override: LatestSnapshot <- OfFirstPart
\* why: A row gets another value between two parts of the build, and the second one populates it. A reader whose snapshot is in
\*   between finds nothing by the value that the row has for him.
EXTENDS MCIndexFence

OfFirstPart(p) ==
    LET parts == {readTs[q] : q \in {x \in Builder : populated[x] # {}}}
    IN  CHOOSE ts \in parts : \A other \in parts : ts <= other
====
