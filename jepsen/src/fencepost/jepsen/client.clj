(ns fencepost.jepsen.client
  "The Java client library, in this process: org.fencepost.clustertest.Bridge
  carries operations out exactly as `fencepost cluster-test` does, and adds what
  Jepsen's format lacks (path, timestamps, tags), so that `fencepost judge` can
  judge the same history by its timestamps.

  An operation fails where it certainly has no effect. Where the answer to a
  commit, or to a fast-path write, was lost, it is :info. The library bounds
  every request, so an operation ends within a few timeouts.

  The library is one object for all of Jepsen's processes. pH1 alone keeps
  something for one of them, its session, by the thread: each of Jepsen's workers
  is one, and an operation whose session breaks is :info, which ends the process."
  (:require [fencepost.jepsen.ops :as ops]
            [jepsen.client :as client])
  (:import (org.fencepost.clustertest Bridge)))

(defn bridge
  "A bridge that connects when clients are set up: the cluster is ready then, and
  no operation waits for it."
  [workload {:keys [timeout seed]}]
  (delay (Bridge. workload (int timeout) (long seed))))

(defrecord Client [bridge]
  client/Client
  (open! [this test node] this)
  (setup! [this test]
    @bridge)
  (invoke! [this test op]
    (merge op (ops/->op (.perform ^Bridge @bridge (ops/->java op)))))
  (teardown! [this test]) ; the judge still needs it, see checkers.clj
  (close! [this test])

  client/Reusable
  (reusable? [this test] true))

(def client ->Client)
