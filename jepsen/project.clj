(defproject org.fencepost/jepsen "0.1.0-SNAPSHOT"
  :description "Jepsen tests of Fencepost: the workloads of `fencepost cluster-test`, judged by Elle."
  :dependencies [[org.clojure/clojure "1.12.0"]
                 [jepsen "0.3.7"]]
  ;; cluster/test adds what `make build` made: the Java client library, and all
  ;; it needs.
  :main fencepost.jepsen.cli
  :jvm-opts ["-Djava.awt.headless=true" "-Xmx2g"
             "--add-opens=java.base/java.lang=ALL-UNNAMED"
             "--add-opens=java.base/java.nio=ALL-UNNAMED"
             "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED"]
  :profiles {:test {:jvm-opts ["-Xmx512m"]}})
