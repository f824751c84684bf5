(ns fencepost.jepsen.db
  "The cluster: HBase on HDFS with three region servers, two transaction
  managers, and a ZooKeeper for both, on five nodes; for pH1 Cassandra besides.
  `make jepsen` has started it before Jepsen begins, since Jepsen runs in its
  network; tests have tables of their own, so one cluster serves many. Here it
  only is made ready, and its logs are collected."
  (:require [clojure.java.io :as io]
            [fencepost.jepsen.remote :refer [cluster!]]
            [jepsen [core :as jepsen]
                    [db :as db]]))

(def ^java.io.File logs
  "Where the nodes' logs go before Jepsen takes them into its store. Absolute:
  its commands do not run here."
  (.getAbsoluteFile (io/file "target/jepsen-logs")))

(defn- files
  [^java.io.File folder]
  (filter #(.isFile ^java.io.File %) (file-seq folder)))

(defn db
  []
  (let [collected (delay ; once, for all nodes, which ask side by side
                    (cluster! "logs" (.getPath logs)))]
    (reify db/DB
      (setup! [_ test node]
        (when (= node (jepsen/primary test))
          (run! io/delete-file (files logs))
          (cluster! "heal")
          (cluster! "ready")))
      (teardown! [_ test node])

      db/LogFiles
      (log-files [_ test node]
        @collected
        (let [folder (io/file logs node)]
          (into {}
                (map (fn [^java.io.File file]
                       [(.getPath file)
                        (str (.relativize (.toPath folder) (.toPath file)))]))
                (files folder)))))))
