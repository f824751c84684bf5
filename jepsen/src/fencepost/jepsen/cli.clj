(ns fencepost.jepsen.cli
  "The command line. `make jepsen WORKLOAD=... NEMESIS=... TIME=...` calls it in
  the cluster's network, and before with --check, to see what is wrong with its
  arguments while no cluster has been touched."
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
   [nil "--threads N" "Client threads, in place of --concurrency."
    :default 8
    :parse-fn parse-long
    :validate [#(and % (pos? %)) "must be a positive number"]]
   [nil "--rate HZ" "Operations per second, of all threads; 0: as many as they can."
    :default 200
    :parse-fn parse-long
    :validate [#(and % (not (neg? %))) "must be 0 or a positive number"]]
   [nil "--timeout MS" "Of each request."
    :default 5000
    :parse-fn parse-long
    :validate [#(and % (pos? %)) "must be a positive number"]]
   [nil "--seed NUMBER" "Of the workload's operations."
    :default 0
    :parse-fn parse-long
    :validate [some? "must be a number"]]
   [nil "--check" "See whether this could be run as it is asked for, and exit: 0 if so."
    :default false]])

(defn- misplaced
  "A sentence if the faults strike what the workload's cluster does not have, or
  none of what it runs on."
  [{:keys [workload nemesis]}]
  (let [ph1? (= "list-append-ph1" workload)]
    (cond (and ph1? (faults/of-hbase nemesis))
          (str "The nemesis " nemesis " strikes HBase, on which " workload " does not run.")
          (and (not ph1?) (faults/of-cassandra nemesis))
          (str "The nemesis " nemesis " strikes Cassandra, on which only list-append-ph1 runs."))))

(defn- options-fn
  [{:keys [options] :as parsed}]
  (let [errors (concat (:errors parsed) (keep misplaced [options]))]
    (when (and (:check options) (empty? errors))
      (System/exit 0))
    (-> parsed
        (assoc :errors (seq errors))
        (assoc-in [:options :concurrency] (:threads options)))))

(defn -main
  [& args]
  (cli/run! (merge (cli/single-test-cmd {:test-fn  core/fencepost-test
                                         :opt-spec options
                                         :opt-fn   options-fn})
                   (cli/serve-cmd))
            args))
