(ns fencepost.jepsen.workload.list-append
  "Transactions that append to lists and read them, so that every read shows the
  order of all writes before it: nothing tells Elle more.

  Regular transactions (\"ll\") promise snapshot isolation and real time: what
  was answered before a transaction began is in its snapshot. On the fast path
  (\"fp\"), and where both meet (\"mixed\"), a transaction may take effect in the
  past, which leaves snapshot isolation without real time; that updates of one
  key keep their order, and that regular transactions keep theirs among
  themselves, is what this project's own judge checks by timestamps, and Elle
  does not.

  pH1 promises snapshot isolation, in real time within a session (\"ph1\")."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.cycle.append :as append]))

(defn workload
  [name opts]
  (workload/workload name
                     {:elle (append/checker {:consistency-models [(workload/model name)]})}
                     opts))
