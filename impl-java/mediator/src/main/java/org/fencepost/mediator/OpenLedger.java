package org.fencepost.mediator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.fencepost.mediator.BookKeeperLedgers.Full;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.mediator.Ledger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the present oracle writes: one ledger after the other. Appends are sent without waiting for those before. When a
 * ledger has grown long, the next one is made beside, and takes over when it is there.
 *
 * <p>Confined to the serving thread, but for the making and deleting of ledgers, which wait.
 */
final class OpenLedger implements Ledger<byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(OpenLedger.class);

    private static final class Writer {

        final WriteHandle handle;
        long bytes;
        long upTo;
        int unanswered;
        boolean full;

        Writer(WriteHandle handle) {
            this.handle = handle;
        }

        /** To close a ledger fails its unanswered appends. */
        void closeIfDone() {
            if (full && unanswered == 0) {
                handle.closeAsync();
            }
        }
    }

    private final BookKeeperLedgers ledgers;
    private final Executor serving;
    private final long ledgerBytes;
    private final Executor beside;
    /** Oldest first. */
    private final Deque<Full> full;
    private Writer current;
    private long writtenBackBelow;
    private boolean making;

    /**
     * @param beside  may wait
     * @param earlier ledgers of earlier oracles, oldest first, whose transactions are all written back
     */
    OpenLedger(BookKeeperLedgers ledgers, WriteHandle first, Executor serving, Executor beside, long ledgerBytes, List<Full> earlier) {
        this.ledgers = ledgers;
        this.current = new Writer(first);
        this.serving = serving;
        this.beside = beside;
        this.ledgerBytes = ledgerBytes;
        this.full = new ArrayDeque<>(earlier);
    }

    @Override
    public void append(LogRecord<byte[]> record, Consumer<Exception> done) {
        byte[] entry = new Entry(writtenBackBelow, record).bytes();
        Writer writer = current;
        writer.bytes += entry.length;
        writer.upTo = Math.max(writer.upTo, record.commitTs());
        writer.unanswered++;
        writer.handle.appendAsync(entry).whenComplete((number, problem) -> serving.execute(() -> {
            writer.unanswered--;
            writer.closeIfDone();
            done.accept(problem == null ? null : problem instanceof Exception exception ? exception : new IllegalStateException(problem));
        }));
        if (writer.bytes >= ledgerBytes && !making) {
            making = true;
            beside.execute(this::makeNext);
        }
    }

    private void makeNext() {
        try {
            WriteHandle next = ledgers.createLedger();
            serving.execute(() -> goOnWith(new Writer(next)));
        } catch (StoreException e) {
            LOG.warn("There is no new ledger yet: {}", e.getMessage());
            serving.execute(() -> {
                making = false;
                current.bytes = 0; // tried again after as many
            });
        }
    }

    private void goOnWith(Writer next) {
        Writer before = current;
        current = next;
        making = false;
        full.add(new Full(before.handle.getId(), before.upTo));
        before.full = true;
        before.closeIfDone();
    }

    /** Of the ledgers that nobody needs, the last one is kept: clients may still ask what became of a transaction in it. */
    @Override
    public void writtenBackBelow(long commitTs) {
        writtenBackBelow = commitTs;
        while (full.size() >= 2 && full.stream().limit(2).allMatch(ledger -> ledger.upTo() < commitTs)) {
            Full oldest = full.remove();
            beside.execute(() -> delete(oldest));
        }
    }

    private void delete(Full oldest) {
        try {
            ledgers.delete(oldest.id(), oldest.upTo());
        } catch (StoreException e) {
            LOG.warn("Ledger {} is not deleted yet: {}", oldest.id(), e.getMessage());
        }
    }
}
