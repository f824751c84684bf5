(ns fencepost.jepsen.workload.rw-register
  "Transactions that write and read registers. They hide their history: Elle
  assumes that a transaction which reads a key and writes it puts the one behind
  the other, which first committer wins implies, and sees nothing that goes
  through writers of unknown outcome. list-append shows more; this one has blind
  writes."
  (:require [fencepost.jepsen.workload :as workload]
            [fencepost.jepsen.workload.list-append :refer [model]]
            [jepsen.tests.cycle.wr :as wr]))

(defn workload
  [path opts]
  (workload/workload (str "rw-register-" path)
                     {:elle (wr/checker {:consistency-models [(model path)]
                                         :wfr-keys?          true})}
                     opts))
