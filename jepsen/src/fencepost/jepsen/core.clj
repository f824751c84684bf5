(ns fencepost.jepsen.core
  "A test: a workload under faults, then heal, and the final reads."
  (:require [fencepost.jepsen [checkers :as checkers]
                              [db :as db]
                              [faults :as faults]
                              [nemesis :as nemesis]
                              [remote :as remote]]
            [fencepost.jepsen.workload [bank :as bank]
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

(defn- each
  "Each of these names, with what makes its workload."
  [make names]
  (into {} (map (fn [name] [name (partial make name)])) names))

(def workloads
  "By the names that `fencepost cluster-test --list` knows them by."
  (merge (each list-append/workload
               ["list-append-ll" "list-append-fp" "list-append-mixed"
                "list-append-one-phase" "list-append-one-region"
                "list-append-beside" "list-append-2pc" "list-append-fragola"
                "list-append-ph1"
                "straddle" "batch-reads"])
         (each rw-register/workload
               ["rw-register-ll" "rw-register-fp" "rw-register-mixed"
                "rw-register-one-phase" "fp-single-key"])
         (each native-and-transactional/workload
               ["native-and-transactional"
                "native-and-transactional-serializable"])
         (each scans/workload ["range-scans" "index-build"])
         {"bank"       bank/workload
          "long-fork"  long-fork/workload
          "write-skew" write-skew/workload
          "timestamps" timestamps/workload}))

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
