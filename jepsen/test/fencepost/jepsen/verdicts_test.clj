(ns fencepost.jepsen.verdicts-test
  (:require [clojure.test :refer [deftest is testing]]
            [fencepost.jepsen.verdicts :as verdicts]))

(defn- history
  "Of [process type value] each; time and index are counted."
  [& ops]
  (map-indexed (fn [i [process type value txn]]
                 {:index i, :time (* 10 i), :process process, :type type
                  :f :txn, :value value, :txn txn})
               ops))

(deftest pairs-test
  (is (= [[0 2] [1 3]]
         (map (partial mapv :index)
              (verdicts/pairs (history [0 :invoke] [1 :invoke] [0 :ok] [1 :info]
                                       [:nemesis :info] [2 :invoke]))))))

(deftest timestamps-test
  (testing "in order"
    (is (:valid? (verdicts/timestamps
                  (history [0 :invoke] [0 :ok 64] [1 :invoke] [1 :ok 128])))))
  (testing "at the same time, in any order"
    (is (:valid? (verdicts/timestamps
                  (history [0 :invoke] [1 :invoke] [0 :ok 128] [1 :ok 64])))))
  (testing "given twice"
    (let [found (verdicts/timestamps
                 (history [0 :invoke] [1 :invoke] [0 :ok 64] [1 :ok 64]))]
      (is (false? (:valid? found)))
      (is (= [64] (:given-twice found)))))
  (testing "gone back"
    (let [found (verdicts/timestamps
                 (history [0 :invoke] [0 :ok 128] [1 :invoke] [1 :ok 64]))]
      (is (false? (:valid? found)))
      (is (= [128] (map :after (:went-back found))))))
  (testing "what failed has no timestamp"
    (is (= 0 (:count (verdicts/timestamps (history [0 :invoke] [0 :fail])))))))

(deftest final-reads-test
  (let [asked [{:f :txn, :value [[:r 1 nil]]} {:f :txn, :value [[:r 2 nil]]}]
        one   (history [0 :invoke [[:r 1 nil]]] [0 :ok [[:r 1 []]]])
        both  (concat one (history [0 :invoke [[:r 2 nil]]] [0 :ok [[:r 2 [1]]]]))
        lost  (concat one (history [0 :invoke [[:r 2 nil]]] [0 :fail [[:r 2 nil]]]))]
    (is (true? (:valid? (verdicts/final-reads asked both))))
    (is (= :unknown (:valid? (verdicts/final-reads asked one))))
    (is (= :unknown (:valid? (verdicts/final-reads asked lost))))))

(deftest paths-test
  (is (= {:valid? true, :taken {"commit" 5}} (verdicts/paths [] {"commit" 5})))
  (is (= {:valid? :unknown, :taken {}, :error ["the path 'commit' was not taken"]}
         (verdicts/paths ["the path 'commit' was not taken"] {}))))

(deftest write-skews-test
  (is (= 1 (verdicts/write-skews
            (history [0 :ok nil [[:r 1 nil] [:r 2 nil] [:w 1 1]]]
                     [1 :ok nil [[:r 1 nil] [:r 2 nil] [:w 2 1]]]))))
  (is (= 0 (verdicts/write-skews
            (history [0 :ok nil [[:r 1 nil] [:r 2 nil] [:w 1 1]]]
                     [1 :ok nil [[:r 1 1] [:r 2 nil] [:w 2 1]]])))))

(deftest judged-test
  (let [part (fn [valid] {"valid" valid, "reasons" ["because"]})]
    (is (= {:valid? true, :form {:valid? true, :reasons ["because"]}}
           (verdicts/judged {"form" (part true)})))
    (is (false? (:valid? (verdicts/judged {"form" (part "unknown") "timestamps" (part false)}))))
    (is (= :unknown (:valid? (verdicts/judged {"form" (part true) "final reads" (part "unknown")}))))
    (is (= :unknown (:valid? (verdicts/judged {}))))))
