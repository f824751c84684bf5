(ns fencepost.jepsen.workload.rw-register
  "Transactions that write and read registers. They hide their history: Elle
  assumes that a transaction which reads a key and writes it puts the one behind
  the other, which first committer wins implies, and sees nothing that goes
  through writers of unknown outcome. list-append shows more; this one has blind
  writes.

  In fp-single-key, transactions have one key, and most take the fast path
  (blind writes, reads, reads with a write). That updates of a key keep the order
  of real time is for `fencepost judge`; Elle sees that no update is lost and
  nothing uncommitted is read."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.cycle.wr :as wr]))

(defn workload
  [name opts]
  (workload/workload name
                     {:elle (wr/checker {:consistency-models [(workload/model name)]
                                         :wfr-keys?          true})}
                     opts))
