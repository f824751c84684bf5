(ns fencepost.jepsen.workload.native-and-transactional
  "Blind native puts and gets by HBase's own client, beside Mediator's
  transactions, on the same registers; now and then a client dies in the middle
  of a commit.

  Each native operation is a transaction to Elle. What Mediator promises
  (definitions 2 and 1 of its paper) makes that snapshot isolated, or
  serializable, and neither keeps more of the order between processes. Elle does
  not see where native puts went, whose clients never learn it: that, and the
  order that a process's accesses to a key keep, is what
  this project's own judge tells by the timestamps that HBase has in the end."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.cycle.wr :as wr]))

(defn workload
  [name opts]
  (workload/workload name
                     {:elle (wr/checker {:consistency-models [(workload/model name)]})}
                     opts))
