(ns fencepost.jepsen.workload.timestamps
  "The transaction manager's timestamps alone: unique, and monotonic in real time
  across failovers. With the nemesis tm-lease two managers believe for a while
  that they serve."
  (:require [fencepost.jepsen [checkers :as checkers]
                              [workload :as workload]]))

(defn workload
  [opts]
  (workload/workload "timestamps" {:timestamps (checkers/timestamps)} opts))
