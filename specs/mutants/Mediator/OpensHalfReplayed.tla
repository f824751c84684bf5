---- MODULE OpensHalfReplayed ----
\* removes: AllReplayed
\* dies: SnapshotLegal
\* model: Recovery2x2
\* override: AllReplayed <- Some
\* why: The new status oracle takes a transaction for written back when one of its keys is. Who begins then sees half of it.
EXTENDS MCMediator

Some == \A t \in Txn : log[t] = "commit" => \E k \in writes[t] : version[k][t] # NoTs
====
