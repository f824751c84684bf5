(ns fencepost.jepsen.checkers
  "Checkers of what Jepsen and Elle do not know. A history that was never taken
  the way that the test is about proves nothing: then the verdict is :unknown,
  with the reason."
  (:require [clojure.java.io :as io]
            [clojure.string :as str]
            [fencepost.jepsen.verdicts :as verdicts]
            [jepsen [checker :as checker]
                    [store :as store]])
  (:import (org.fencepost.clustertest Bridge)))

(defn paths
  "Were all paths taken as often as the workload and the nemesis ask for?"
  [bridge nemesis]
  (reify checker/Checker
    (check [_ test history opts]
      (verdicts/paths (.tooSeldom ^Bridge @bridge nemesis
                                  (long (:time-limit test)))
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

(defn judge
  "This project's own judge, by timestamps, of the history that Jepsen has
  written down, completed by what only the store tells. Elle does not see all: not
  the order of one key on the fast path, nor where native puts went. The last
  that needs the bridge: closes it, and its table goes."
  [bridge]
  (reify checker/Checker
    (check [_ test history opts]
      (with-open [^Bridge open @bridge]
        (verdicts/judged (.judge open
                                 (.toPath (io/file (store/path test "history.edn")))
                                 (.toPath (io/file (store/path! test "judge")))
                                 (long (:time-limit test))))))))

(defn versions
  "By which libraries a history was judged, as the class path names them: it
  matters. Always valid."
  []
  (reify checker/Checker
    (check [_ test history opts]
      {:valid? true
       :of (into (sorted-map)
                 (keep (fn [entry]
                         (when-let [[_ library version]
                                    (re-find #"(?:^|/)(jepsen|elle|history|dom-top|knossos|clojure)-(\d[^/]*?)(?:\.jar$|/|$)"
                                             entry)]
                           [(keyword library) version])))
                 (str/split (System/getProperty "java.class.path") #":"))})))
