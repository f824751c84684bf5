(ns fencepost.jepsen.workload.scans
  "Scans while rows are inserted and deleted, and of an index that is built
  meanwhile. Elle knows no scans: this project's own judge has the word alone."
  (:require [fencepost.jepsen.workload :as workload]))

(defn workload
  [name opts]
  (workload/workload name {} opts))
