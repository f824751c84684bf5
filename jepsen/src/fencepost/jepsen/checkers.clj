(ns fencepost.jepsen.checkers
  "Checkers of what Jepsen and Elle do not know. A history that was never taken
  the way that the test is about proves nothing: then the verdict is :unknown,
  with the reason."
  (:require [fencepost.jepsen.verdicts :as verdicts]
            [jepsen.checker :as checker])
  (:import (org.fencepost.clustertest Bridge)))

(defn paths
  "Were all paths taken as often as the workload and the nemesis ask for?"
  [bridge nemesis]
  (reify checker/Checker
    (check [_ test history opts]
      (verdicts/paths (.tooSeldom ^Bridge @bridge nemesis)
                      (into (sorted-map) (.paths ^Bridge @bridge))))))

(defn final-reads
  "asked: a delay of the final reads' invocations."
  [asked]
  (reify checker/Checker
    (check [_ test history opts]
      (verdicts/final-reads @asked history))))

(defn timestamps
  []
  (reify checker/Checker
    (check [_ test history opts]
      (verdicts/timestamps history))))

(defn write-skews
  "Unknown if there was none."
  []
  (reify checker/Checker
    (check [_ test history opts]
      (let [skews (verdicts/write-skews history)]
        (cond-> {:valid? (if (pos? skews) true :unknown), :count skews}
          (zero? skews) (assoc :error "no write skew occurred"))))))
