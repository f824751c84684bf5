(ns fencepost.jepsen.db
  "The cluster: HBase on HDFS with three region servers, two transaction
  managers, and a ZooKeeper for both, on five nodes. `make jepsen` has started
  it before Jepsen begins, since Jepsen runs in its network; tests have tables
  of their own, so one cluster serves many. Here it only is made ready, and its
  logs are collected."
  (:require [clojure.java.io :as io]
            [fencepost.jepsen.remote :refer [cluster!]]
            [jepsen [core :as jepsen]
                    [db :as db]]))

(def logs "Where the nodes' logs go." "target/jepsen-logs")

(defn db
  []
  (reify db/DB
    (setup! [_ test node]
      (when (= node (jepsen/primary test))
        (cluster! "heal")
        (cluster! "ready")))
    (teardown! [_ test node])

    db/LogFiles
    (log-files [_ test node]
      (when (= node (jepsen/primary test))
        (cluster! "logs" logs))
      (->> (file-seq (io/file logs node))
           (filter #(.isFile ^java.io.File %))
           (mapv #(.getPath ^java.io.File %))))))
