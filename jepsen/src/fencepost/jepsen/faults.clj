(ns fencepost.jepsen.faults
  "Which commands of cluster/cluster make which faults, as data: a fault is
  {:name, :start command, :stop command or nil, :lasts seconds, :recovers whether
  what died of it must be started again, :quiet seconds}.
  A command is a vector of texts, in which :primary stands for the node whose
  transaction manager serves. Nothing here needs Jepsen.

  These are the faults of `fencepost cluster-test` (Nemesis.java), and as there
  the clocks' rates stay within what leases allow for: a greater drift breaks
  the transaction manager's assumptions, not the transaction manager.")

(def nodes ["n1" "n2" "n3" "n4" "n5"])

(def roles
  "Where each role runs."
  {"zookeeper"    ["n1" "n2" "n3"]
   "datanode"     ["n2" "n3" "n4"]
   "regionserver" ["n2" "n3" "n4"]
   "tm"           ["n4" "n5"]
   "master"       ["n5"]})

(def with-bookies
  "The same in a cluster for Mediator."
  (assoc roles "bookie" ["n1" "n3" "n5"]))

(def with-cassandra
  "What pH1 needs, and what it consists of: not HBase."
  (assoc (select-keys roles ["zookeeper" "tm"])
         "cassandra" ["n1" "n2" "n3"]
         "ph1"       ["n3" "n4" "n5"]))

(defn- on-role
  [verb undo lasts role {:keys [roles]}]
  (let [node (rand-nth (roles role))]
    {:name (str verb "-" role)
     :start [verb role node], :stop [undo role node]
     :lasts lasts, :recovers true, :quiet 6}))

(defn- on-process
  [verb undo lasts {:keys [roles struck] :as cluster}]
  (on-role verb undo lasts (rand-nth (or (seq struck) (keys roles))) cluster))

(defn- on-primary
  [verb undo lasts]
  {:name (str verb "-primary")
   :start [verb "tm" :primary], :stop [undo "tm" :primary]
   :lasts lasts, :quiet 6})

(defn- partition-fault
  []
  {:name  "partition"
   :start (rand-nth [["partition" "halves"]
                     ["partition" "ring"]
                     ["partition" "node" (rand-nth nodes)]
                     (let [[a b] (shuffle nodes)]
                       ["partition" "from" a "to" b])])
   :stop  ["heal"]
   :lasts 12, :recovers true, :quiet 6})

(defn- client-partition
  "Clients and a region server: requests do not arrive, or their answers do not."
  [{:keys [roles]}]
  (let [node (rand-nth (roles "regionserver"))]
    {:name  "client-partition"
     :start (rand-nth [["partition" "from" "control" "to" node]
                       ["partition" "from" node "to" "control"]])
     :stop  ["heal"]
     :lasts 8, :quiet 6}))

(defn- clock-fault
  []
  {:name  "skew"
   :start (rand-nth [["skew" "jump" (str (rand-nth [-30 -5 5 30])) (rand-nth nodes)]
                     ["skew" "strobe" "5" "100" (rand-nth nodes)]
                     ["skew" "rate" (rand-nth ["1.04" "0.96"])
                      (rand-nth (roles "tm")) "tm"]])
   :stop  ["unskew"]
   :lasts 8, :quiet 6})

(def kinds
  "By name, a function that makes a fault in {:table its name, :roles those of
  the cluster, :struck which of them, often ones more than once; none: all}."
  {"partition"     (fn [_] (partition-fault))
   "client-partition" client-partition
   "kill"          (partial on-process "kill" "restart" 8)
   "pause"         (partial on-process "pause" "resume" 9)
   "tm-kill"       (fn [_] (on-primary "kill" "restart" 6))
   ;; past the lease of 2 s, so that two managers believe that they serve
   "tm-lease"      (fn [_] (on-primary "pause" "resume" (+ 4 (rand-int 3))))
   "region-moves"  (fn [{:keys [table]}]
                     {:name "move-region", :lasts 0, :quiet 2
                      :start ["move-region" table], :stop nil})
   "region-server" (partial on-role "kill" "restart" 12 "regionserver")
   "cassandra-pause" (partial on-role "pause" "resume" 9 "cassandra")
   "clock"         (fn [_] (clock-fault))})

(def of-hbase
  "What strikes HBase and nothing else."
  #{"client-partition" "region-moves" "region-server"})

(def of-cassandra
  #{"cassandra-pause"})

(def names
  "Of all faults: their operations are start-NAME and stop-NAME."
  (concat ["partition" "client-partition" "skew" "move-region"]
          (for [verb ["kill" "pause"]
                role (conj (keys (merge with-bookies with-cassandra)) "primary")]
            (str verb "-" role))))

(def plots
  "What Jepsen's plots shade, a fault each."
  (set (for [name names]
         {:name  name
          :start #{(keyword (str "start-" name))}
          :stop  #{(keyword (str "stop-" name))}})))

(def all-kinds ["partition" "kill" "pause" "tm-lease" "region-moves" "clock"])

(defn kinds-of
  "Those of \"all\" that can strike such a cluster."
  [{:keys [roles]}]
  (if (roles "regionserver") all-kinds (remove of-hbase all-kinds)))

(defn fault
  "A fault of the kind, or of any of them for \"all\"."
  [kind cluster]
  ((kinds (if (= kind "all") (rand-nth (kinds-of cluster)) kind)) cluster))
