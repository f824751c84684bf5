(ns fencepost.jepsen.workload.write-skew
  "Transactions that read both keys of a pair and append to one. Snapshot
  isolation lets two of them pass at once; Elle must find nothing that is worse,
  and there must be some write skew, or the run shows nothing."
  (:require [fencepost.jepsen [checkers :as checkers]
                              [workload :as workload]]
            [jepsen.tests.cycle.append :as append]))

(defn workload
  [opts]
  (workload/workload "write-skew"
                     {:elle        (append/checker
                                    {:consistency-models [(workload/model "write-skew")]})
                      :write-skews (checkers/write-skews)}
                     opts))
