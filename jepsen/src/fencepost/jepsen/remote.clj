(ns fencepost.jepsen.remote
  "Runs Jepsen's commands on a node by `cluster/cluster exec`, which is
  `ip netns exec` for network namespaces and ssh or docker's own way for
  containers: Jepsen need not know which. Nodes share the file system of the
  machine that they run on, so files are copied there."
  (:require [clojure.java.io :as io]
            [clojure.java.shell :refer [sh]]
            [jepsen.control.core :as core]))

(defn cluster!
  "Runs a command of cluster/cluster; returns what it printed. Throws with its
  own sentence if it failed."
  [& command]
  (let [{:keys [exit out err]} (apply sh "cluster/cluster" command)]
    (when-not (zero? exit)
      (throw (ex-info (str "cluster " (pr-str command) ": " err)
                      {:type :cluster, :command command, :exit exit})))
    out))

(defrecord ClusterRemote [node]
  core/Remote
  (connect [this conn-spec]
    (assoc this :node (:host conn-spec)))
  (disconnect! [this] this)
  (execute! [this context action]
    ;; Commands come wrapped in sudo where Jepsen was told so; here all is root's.
    (merge action {:host node}
           (sh "cluster/cluster" "exec" node "bash" "-c" (:cmd action)
               :in (or (:in action) ""))))
  (upload! [this context local-paths remote-path opts]
    (doseq [path (flatten [local-paths])]
      (io/copy (io/file path) (io/file remote-path))))
  (download! [this context remote-paths local-path opts]
    (doseq [path (flatten [remote-paths])]
      (io/copy (io/file path) (io/file local-path)))))

(defn remote [] (ClusterRemote. nil))
