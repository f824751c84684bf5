(ns fencepost.jepsen.ops
  "Operations on both sides of org.fencepost.clustertest.Bridge. There,
  everything that Jepsen writes as a keyword is a text: types, functions, the
  first part of a micro-operation, and the keys of maps. Nothing here needs
  Jepsen."
  (:import (java.util List Map)))

(defn- micro?
  "Is this a list of micro-operations, as Java has them?"
  [value]
  (and (instance? List value)
       (every? #(and (instance? List %) (= 3 (count %)) (string? (first %)))
               value)))

(defn- ->value
  [value]
  (cond (micro? value)          (mapv (fn [[f k v]] [(keyword f) (->value k) (->value v)])
                                      value)
        (instance? Map value)   (into {} (map (fn [[k v]]
                                                [(if (string? k) (keyword k) k)
                                                 (->value v)]))
                                      value)
        (instance? List value)  (vec value)
        :else                   value))

(def ^:private texts
  "Fields whose texts are keywords to Jepsen."
  #{:type :f :path :fate :reads :begin})

(defn ->op
  "Part of a Jepsen operation, of what Java gave."
  [^Map java-map]
  (into {}
        (map (fn [[k v]]
               (let [field (keyword k)]
                 [field (if (texts field) (keyword v) (->value v))])))
        java-map))

(defn- ->java-value
  [value]
  (cond (keyword? value)    (name value)
        (map? value)        (java.util.LinkedHashMap.
                             ^Map (into {} (map (fn [[k v]]
                                                  [(->java-value k)
                                                   (->java-value v)]))
                                        value))
        (sequential? value) (java.util.ArrayList.
                             ^java.util.Collection (mapv ->java-value value))
        :else               value))

(defn ->java
  "What the bridge performs: a Jepsen operation without what is Jepsen's own.
  Whatever else the workload has put there says how it is to be done."
  [op]
  (->java-value (dissoc (into {} op) :index :time :type :process :error :exception)))
