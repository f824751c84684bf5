(ns fencepost.jepsen.workload.bank
  "Transfers between eight accounts, by regular transactions, and reads of all of
  them, whose total is always the same. Transfers of more than there is transfer
  what there is, so no account is overdrawn."
  (:require [fencepost.jepsen.workload :as workload]
            [jepsen.tests.bank :as bank]))

(defn workload
  [opts]
  (assoc (workload/workload "bank" {:bank (bank/checker {})} opts)
         :test {:accounts (vec (range 8)), :total-amount 80, :max-transfer 5}))
