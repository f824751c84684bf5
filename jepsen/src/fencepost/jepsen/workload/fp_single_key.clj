(ns fencepost.jepsen.workload.fp-single-key
  "Transactions of one key, on registers: most of them on the fast path (blind
  writes, reads, reads with a write), the others regular. That updates of a key
  keep the order of real time is for `fencepost judge`; Elle sees that no update
  is lost and nothing uncommitted is read."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.cycle.wr :as wr]))

(defn workload
  [opts]
  (workload/workload "fp-single-key"
                     {:elle (wr/checker {:consistency-models [(workload/model "fp-single-key")]
                                         :wfr-keys?          true})}
                     opts))
