package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The transactions of one run, every one that wrote anything: a value that no transaction of the history wrote is
 * reported. Initial data are a transaction like others. Thread-safe.
 */
public final class History {

    private final List<HistoryTransaction> transactions = new ArrayList<>();

    public synchronized void add(HistoryTransaction transaction) {
        transactions.add(transaction);
    }

    public synchronized void addAll(Collection<HistoryTransaction> more) {
        transactions.addAll(more);
    }

    /** A copy, in the order of addition. */
    public synchronized List<HistoryTransaction> transactions() {
        return new ArrayList<>(transactions);
    }
}
