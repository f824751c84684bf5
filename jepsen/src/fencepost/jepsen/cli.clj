(ns fencepost.jepsen.cli
  "The command line. `make jepsen WORKLOAD=... NEMESIS=... TIME=...` calls it in
  the cluster's network."
  (:require [clojure.string :as str]
            [fencepost.jepsen [core :as core]
                              [faults :as faults]]
            [jepsen.cli :as cli])
  (:gen-class))

(defn- one-of
  [names]
  [(set names) (str "must be one of " (str/join ", " (sort names)))])

(def options
  [[nil "--workload NAME" "What clients do."
    :default "list-append-mixed"
    :validate (one-of (keys core/workloads))]
   [nil "--nemesis NAME" "Which faults strike."
    :default "none"
    :validate (one-of (concat ["none" "all"] (keys faults/kinds)))]
   [nil "--rate HZ" "Operations per second."
    :default 200
    :parse-fn parse-long
    :validate [#(and % (pos? %)) "must be a positive number"]]
   [nil "--timeout MS" "Of each request."
    :default 5000
    :parse-fn parse-long
    :validate [#(and % (pos? %)) "must be a positive number"]]
   [nil "--seed NUMBER" "Of the workload's operations."
    :default 0
    :parse-fn parse-long]])

(defn -main
  [& args]
  (cli/run! (merge (cli/single-test-cmd {:test-fn  core/fencepost-test
                                         :opt-spec options})
                   (cli/serve-cmd))
            args))
