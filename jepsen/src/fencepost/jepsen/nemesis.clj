(ns fencepost.jepsen.nemesis
  "Faults by the commands of cluster/cluster, a while with one and a while
  without, by turns. Jepsen's own nemeses are not used: its clock nemesis sets
  the machine's clock, which here all nodes share, and its partitions need root
  on nodes that are containers or namespaces.

  :value of an operation is the command, and afterwards the same with the node
  that was struck, and what came of it. A
  command that failed is part of the history; it does not end the test."
  (:require [clojure.string :as str]
            [fencepost.jepsen [faults :as faults]
                              [remote :refer [cluster!]]]
            [jepsen [generator :as gen]
                    [nemesis :as nemesis]])
  (:import (org.fencepost.clustertest Bridge)))

(defn- resolved
  "The command with its primary. One that is stopped is the one that was struck."
  [command primary]
  (mapv #(if (= :primary %) primary %) command))

(defrecord Cluster [bridge primary]
  nemesis/Nemesis
  (setup! [this test] this)
  (invoke! [this test op]
    (let [command (:value op)
          start?  (str/starts-with? (name (:f op)) "start-")]
      (try
        (when (and start? (some #{:primary} command))
          (reset! primary (str/trim (cluster! "tm-primary"))))
        (let [done (resolved command @primary)
              said (apply cluster! done)]
          (when (= "move-region" (first done))
            (.regionMoved ^Bridge @bridge))
          (assoc op :value [done (str/trim said)]))
        (catch clojure.lang.ExceptionInfo e
          (assoc op :value [(resolved command @primary) :failed (ex-message e)])))))
  (teardown! [this test]
    (cluster! "heal")))

(defn- operations
  "Of a fault, with the pauses between them."
  [{:keys [name start stop lasts recovers quiet]}]
  (concat [{:type :info, :f (keyword (str "start-" name)), :value start}]
          (when stop
            [(gen/sleep lasts)
             {:type :info, :f (keyword (str "stop-" name)), :value stop}])
          (when recovers
            [{:type :info, :f :ready, :value ["ready" "60"]}])
          [(gen/sleep quiet)]))

(defn- cluster
  "What there is to disturb."
  [^Bridge bridge]
  (let [struck (.struckRoles bridge)]
    {:table  (.table bridge)
     :struck struck
     :roles  (cond (seq struck)         faults/with-cassandra
                   (.hasBookies bridge) faults/with-bookies
                   :else                faults/roles)}))

(defn package
  "A nemesis, its generator, and the generator that heals; for kind \"none\",
  one that does nothing before."
  [kind bridge]
  {:nemesis         (Cluster. bridge (atom nil))
   :generator       (when-not (= "none" kind)
                      [(gen/sleep 4)
                       (delay (mapcat (fn [_]
                                        (operations
                                         (faults/fault kind (cluster @bridge))))
                                      (range)))])
   :final-generator [{:type :info, :f :heal, :value ["heal"]}
                     {:type :info, :f :ready, :value ["ready"]}]})
