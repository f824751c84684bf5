(ns fencepost.jepsen.ops-test
  (:require [clojure.test :refer [deftest is]]
            [fencepost.jepsen [faults :as faults]
                              [ops :as ops]])
  (:import (java.util LinkedHashMap List Map)))

(deftest from-java
  (is (= {:type :ok, :f :txn, :path :ll, :start-ts 64
          :value [[:append 1 2] [:r 3 [4 5]] [:r 6 nil]]}
         (ops/->op (doto (LinkedHashMap.)
                     (.put "type" "ok") (.put "f" "txn") (.put "path" "ll")
                     (.put "start-ts" 64)
                     (.put "value" [["append" 1 2] ["r" 3 (List/of 4 5)] ["r" 6 nil]])))))
  (is (= {:f :read, :value {0 10, 1 20}}
         (ops/->op (Map/of "f" "read" "value" (Map/of 0 10 1 20)))))
  (is (= {:f :transfer, :value {:from 0, :to 1, :amount 5}}
         (ops/->op (Map/of "f" "transfer" "value" (Map/of "from" 0 "to" 1 "amount" 5))))))

(deftest a-range-is-plain
  (is (= "[[:scan [0 60] nil]]"
         (pr-str (:value (ops/->op (Map/of "f" "txn" "value"
                                           [["scan" (List/of 0 60) nil]])))))))

(deftest to-java-and-back
  (doseq [op [{:f :txn, :value [[:append 1 2] [:r 3 nil]], :path :fp}
              {:f :txn, :value [[:w 1 2]], :path :mediator, :fate :unlogged}
              {:f :txn, :value [[:scan [30 40 0 false] nil]], :path :ll, :reads :server}
              {:f :txn, :value [[:w 1 2]], :path :ll, :begin :blind, :think-ms 3}
              {:f :transfer, :value {:from 0, :to 1, :amount 5}}
              {:f :read, :value nil}]]
    (is (= op (ops/->op (ops/->java (assoc op :process 3, :time 12, :index 7, :type :invoke)))))))

(deftest faults-are-commands
  (doseq [kind (conj (keys faults/kinds) "all"), _ (range 20)]
    (let [{:keys [name start stop lasts quiet]} (faults/fault kind {:table "a-table"
                                          :roles (merge faults/with-bookies
                                                         faults/with-cassandra)})]
      (is (some #{name} faults/names) "plots shade it")
      (is (every? #(or (string? %) (= :primary %)) (concat start stop)))
      (is (nat-int? lasts))
      (is (pos? quiet)))))

(deftest nothing-strikes-what-is-not-there
  (is (= #{"ph1" "cassandra" "tm" "zookeeper"} (set (keys faults/with-cassandra))))
  (is (not-any? faults/of-hbase (faults/kinds-of {:roles faults/with-cassandra})))
  (is (some #{"region-moves"} (faults/kinds-of {:roles faults/roles})))
  (dotimes [_ 20]
    (is (= ["kill" "ph1"]
           (take 2 (:start (faults/fault "kill" {:roles faults/with-cassandra, :struck ["ph1" "ph1"]})))))
    (is (= ["pause" "cassandra"]
           (take 2 (:start (faults/fault "cassandra-pause" {:roles faults/with-cassandra})))))))
