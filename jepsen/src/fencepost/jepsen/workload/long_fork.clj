(ns fencepost.jepsen.workload.long-fork
  "Two reads of the same four keys, each of which saw a write that the other one
  missed, would be a long fork, which snapshot isolation excludes. Every key is
  written once, by the fast path or by a regular transaction."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.long-fork :as long-fork]))

(defn workload
  [opts]
  (workload/workload "long-fork" {:long-fork (long-fork/checker 4)} opts))
