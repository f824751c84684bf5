(ns fencepost.jepsen.core
  "A test: a workload under faults, then heal, and the final reads."
  (:require [fencepost.jepsen [checkers :as checkers]
                              [db :as db]
                              [faults :as faults]
                              [nemesis :as nemesis]
                              [remote :as remote]]
            [fencepost.jepsen.workload [bank :as bank]
                                       [fp-single-key :as fp-single-key]
                                       [list-append :as list-append]
                                       [long-fork :as long-fork]
                                       [native-and-transactional :as native-and-transactional]
                                       [rw-register :as rw-register]
                                       [scans :as scans]
                                       [timestamps :as timestamps]
                                       [write-skew :as write-skew]]
            [jepsen [checker :as checker]
                    [generator :as gen]
                    [tests :as tests]]
            [jepsen.os :as os]))

(def workloads
  "By the names that `fencepost cluster-test --list` knows them by."
  (merge (into {} (for [name ["list-append-ll" "list-append-fp" "list-append-mixed"
                               "list-append-one-phase" "list-append-one-region"
                               "list-append-beside" "list-append-2pc"
                               "list-append-fragola" "straddle" "batch-reads"]]
                    [name (partial list-append/workload name)]))
         (into {} (for [name ["rw-register-ll" "rw-register-fp" "rw-register-mixed"
                               "rw-register-one-phase"]]
                    [name (partial rw-register/workload name)]))
         (into {} (for [name (keys native-and-transactional/models)]
                    [name (partial native-and-transactional/workload name)]))
         (into {} (for [name ["range-scans" "index-build"]]
                    [name (partial scans/workload name)]))
         {"bank"          bank/workload
          "long-fork"     long-fork/workload
          "write-skew"    write-skew/workload
          "fp-single-key" fp-single-key/workload
          "timestamps"    timestamps/workload}))

(defn- at-rate
  "In the mean; 0: as fast as clients are."
  [rate generator]
  (if (pos? rate) (gen/stagger (/ rate) generator) generator))

(defn fencepost-test
  "opts: what cli.clj reads."
  [{:keys [workload nemesis rate time-limit] :as opts}]
  (let [chosen ((workloads workload) opts)
        faults (nemesis/package nemesis (:bridge chosen))]
    (merge tests/noop-test
           opts
           (:test chosen)
           {:name      (str "fencepost " workload " " nemesis)
            :nodes     faults/nodes
            :os        os/noop
            :remote    (remote/remote)
            :db        (db/db)
            :client    (:client chosen)
            :nemesis   (:nemesis faults)
            :checker   (checker/compose
                        {:workload   (:checker chosen)
                         :exceptions (checker/unhandled-exceptions)
                         :stats      (checker/stats)
                         :perf       (checker/perf {:nemeses faults/plots})
                         :versions   (checkers/versions)})
            :generator (gen/phases
                        ;; by one process: several would write the same values
                        (gen/clients (gen/on-threads #{0} (:first-generator chosen)))
                        (->> (:generator chosen)
                             (at-rate rate)
                             (gen/nemesis (:generator faults))
                             (gen/time-limit time-limit))
                        (gen/nemesis (:final-generator faults))
                        (gen/clients (:final-generator chosen)))})))
