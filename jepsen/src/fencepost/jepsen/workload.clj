(ns fencepost.jepsen.workload
  "What workloads have in common: their operations come from the same generators
  as those of `fencepost cluster-test`, by seed, through the bridge, so that one
  run can be compared with the other. Each workload adds its checker."
  (:require [fencepost.jepsen [checkers :as checkers]
                              [client :as client]
                              [ops :as ops]]
            [jepsen [checker :as checker]
                    [generator :as gen]])
  (:import (org.fencepost.clustertest Bridge)
           (org.fencepost.clustertest.workload Workload$Elle Workloads)))

(defn- invocation
  [java-map]
  (assoc (ops/->op java-map) :type :invoke))

(defn- until-ok
  "Each of them until it has an answer."
  [invocations]
  (map #(gen/until-ok (repeat %)) invocations))

(defn model
  "What the workload promises, by Elle's name; the same as adya is asked for."
  [name]
  (keyword (.model ^Workload$Elle (.elle (Workloads/named name)))))

(defn workload
  "A workload by the name that cluster-test knows it by, with a map of checkers.
  The paths are asked for, and the final reads must be complete."
  [name checkers {:keys [nemesis] :as opts}]
  (let [bridge (client/bridge name opts)
        last   (delay (mapv invocation (.last ^Bridge @bridge)))]
    {:bridge          bridge
     :client          (client/client bridge)
     :first-generator (delay (until-ok (map invocation (.first ^Bridge @bridge))))
     :generator       (fn [] (invocation (.next ^Bridge @bridge)))
     :final-generator (delay (gen/time-limit 90 (until-ok @last)))
     :checker         (checker/compose
                       (merge {:paths       (checkers/paths bridge nemesis)
                               :final-reads (checkers/final-reads last)
                               :judge       (checkers/judge bridge)}
                              checkers))}))
