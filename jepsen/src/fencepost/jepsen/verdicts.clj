(ns fencepost.jepsen.verdicts
  "The parts of verdicts that are not Jepsen's or Elle's, as functions of plain
  histories. Nothing here needs Jepsen; checkers.clj makes checkers of them.")

(defn pairs
  "Invocations with their completions, as [invocation completion], in the order
  of completions. Operations of the nemesis are left out."
  [history]
  (loop [ops (seq history), open {}, found []]
    (if-not ops
      found
      (let [{:keys [process type] :as op} (first ops)]
        (cond (not (integer? process)) (recur (next ops) open found)
              (= :invoke type)         (recur (next ops)
                                              (assoc open process op) found)
              :else (recur (next ops) (dissoc open process)
                           (if-let [invoked (open process)]
                             (conj found [invoked op])
                             found)))))))

(defn timestamps
  "No timestamp is given twice, and one that was asked for after another one was
  answered is greater, also by another primary."
  [history]
  (let [answered (filter #(= :ok (:type (second %))) (pairs history))
        twice    (->> answered (map (comp :value second)) frequencies
                      (filter #(< 1 (val %))) (map key) sort vec)
        by-end   (sort-by (comp :time second) answered)
        back     (loop [asked (sort-by (comp :time first) answered)
                        ended by-end, highest -1, found []]
                   (if-let [[invoked done] (first asked)]
                     (let [[before after] (split-with
                                           #(< (:time (second %)) (:time invoked))
                                           ended)
                           highest (reduce max highest
                                           (map (comp :value second) before))]
                       (recur (next asked) after highest
                              (if (< (:value done) highest)
                                (conj found {:op done, :after highest})
                                found)))
                     found))]
    {:valid?      (and (empty? twice) (empty? back))
     :count       (count answered)
     :given-twice twice
     :went-back   back}))

(defn final-reads
  "Unknown unless each of the keys, in whatever sense, was read in the end.
  asked: the invocations of the final reads, as maps with :f and :value."
  [asked history]
  (let [done    (->> (pairs history)
                     (filter #(= :ok (:type (second %))))
                     (map (comp (juxt :f :value) first))
                     set)
        missing (remove (comp done (juxt :f :value)) asked)]
    (if (empty? missing)
      {:valid? true, :count (count asked)}
      {:valid?  :unknown
       :error   (str "final reads are incomplete: " (count missing) " of "
                     (count asked) " got no answer")
       :missing (vec (take 10 missing))})))

(defn paths
  "Unknown if a path that the test is about was taken too seldom: the run proves
  nothing then. too-seldom: a sentence for each such path."
  [too-seldom taken]
  (cond-> {:valid? (if (empty? too-seldom) true :unknown), :taken taken}
    (seq too-seldom) (assoc :error (vec too-seldom))))

(defn write-skews
  "How many pairs of committed transactions overwrote what the other one had
  read. Snapshot isolation permits them; a run without any has not shown that
  the database does no more than it promises, nor that it was under load."
  [history]
  (let [done    (filter #(and (= :ok (:type %)) (integer? (:process %))) history)
        written (fn [op] (set (for [[f k] (:txn op) :when (= :w f)] k)))
        by-read (into {} (for [op done, [f k v] (:txn op)
                               :when (and (= :r f) ((written op) k))]
                           [[k v] op]))
        over    (fn [op]
                  (set (for [[f k v] (:txn op)
                             :when (and (= :r f) (not ((written op) k)))
                             :let [writer (by-read [k v])]
                             :when writer]
                         (:index writer))))
        by-index (into {} (map (juxt :index identity)) done)]
    (count (for [op done, writer (over op)
                 :when (and (< (:index op) writer)
                            ((over (by-index writer)) (:index op)))]
             writer))))

(defn judged
  "Of the parts of a judgement in Java: the worst of them counts."
  [parts]
  (let [said (into (sorted-map)
                   (map (fn [[part verdict]]
                          (let [valid (get verdict "valid")]
                            [(keyword (.replace ^String part " " "-"))
                             {:valid?  (if (= "unknown" valid) :unknown valid)
                              :reasons (vec (get verdict "reasons"))}])))
                   parts)
        kinds (set (map (comp :valid? val) said))]
    (assoc said :valid? (cond (contains? kinds false) false
                              (= #{true} kinds)       true
                              :else                   :unknown))))
