package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.fencepost.protocol.history.HistoryTransaction.Kind;

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

    /** The transactions with their range reads as reads of single keys: what the checkers judge. A copy. */
    synchronized List<HistoryTransaction> judged() {
        if (transactions.stream().noneMatch(HistoryTransaction::hasRanges)) {
            return transactions();
        }
        NavigableSet<Object> written = new TreeSet<>();
        transactions.forEach(t -> t.operations().stream().filter(op -> op.kind() != Kind.READ).forEach(op -> written.add(op.key())));
        return new ArrayList<>(transactions.stream().map(t -> t.hasRanges() ? t.withoutRanges(written) : t).toList());
    }

    /** A copy, in the order of addition. */
    public synchronized List<HistoryTransaction> transactions() {
        return new ArrayList<>(transactions);
    }
}
