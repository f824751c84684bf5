package org.fencepost.mediator;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log in BookKeeper (SYSTOR'14 section 2): a list of ledgers, of which the oracle that serves writes the last one. The list is
 * an object in ZooKeeper with a version that counts its writes.
 *
 * <p>A new oracle first makes the list its own: no other can add a ledger to it from then on. Then it opens each ledger that is in it
 * for recovery, which fences it: BookKeeper lets its writer append nothing more. What a ledger had answered by then is in it, and what it
 * says to one reader it says to all.
 *
 * <p>A ledger that has grown long is followed by another, and deleted when all transactions in it, and in another one after it, are written back.
 *
 * <p>Thread-safe. Methods wait for BookKeeper and ZooKeeper, but for those of the ledgers.
 */
public final class BookKeeperLedgers implements Ledgers<byte[]>, AutoCloseable {

    /**
     * @param metadataUri where BookKeeper's metadata are, as its clients are told
     * @param copies      bookies that have each record
     * @param ledgerBytes after so many bytes a ledger is followed by another
     * @param security    how bookies are connected to, and the passwords of ledgers
     */
    public record Settings(String metadataUri, int copies, long ledgerBytes, BookKeeperSecurity security) {

        /** Throws IllegalArgumentException, with a sentence, for values that make no sense. */
        public Settings {
            if (!metadataUri.matches("zk(\\+[a-z]+)?://[^/]+/.+")) {
                throw new IllegalArgumentException("BookKeeper's metadata service reads like zk+hierarchical://HOST:PORT/ledgers, not '"
                        + metadataUri + "'.");
            }
        }

        /** Bookies that anybody may connect to, and ledgers without a password. */
        public Settings(String metadataUri, int copies, long ledgerBytes) {
            this(metadataUri, copies, ledgerBytes, BookKeeperSecurity.NONE);
        }
    }

    static final String LIST = "ledgers";

    private static final Logger LOG = LoggerFactory.getLogger(BookKeeperLedgers.class);
    private static final long READ_AT_ONCE = 500;
    private static final long PATIENCE_SECONDS = 30;
    private static final int REFUSED = -1;

    private final Settings settings;
    private final SharedObjects shared;
    private final Executor serving;
    private final ExecutorService beside = Executors.newSingleThreadExecutor(new DefaultThreadFactory("tm-ledgers", true));
    private final String owner = UUID.randomUUID().toString();
    /** Null before it is first used. */
    private BookKeeper bookKeeper;
    private LedgerList list;
    private int listVersion;
    /** What earlier oracles have left, oldest first. */
    private List<Full> closed = List.of();

    /** A ledger that gets no more records, with the highest commit timestamp in it; 0 if it is empty. */
    record Full(long id, long upTo) {
    }

    /** @param serving runs what the ledgers call back, one at a time */
    public BookKeeperLedgers(Settings settings, SharedObjects shared, Executor serving) {
        this.settings = settings;
        this.shared = shared;
        this.serving = serving;
    }

    // ---- takeover

    @Override
    public synchronized Closed<byte[]> closeLog() {
        connect();
        own();
        List<LogRecord<byte[]>> records = new ArrayList<>();
        long writtenBackBelow = 0;
        closed = new ArrayList<>();
        for (long ledger : list.ledgers()) {
            long upTo = 0;
            for (Entry entry : fence(ledger)) {
                records.add(entry.record());
                writtenBackBelow = Math.max(writtenBackBelow, entry.writtenBackBelow());
                upTo = Math.max(upTo, entry.record().commitTs());
            }
            closed.add(new Full(ledger, upTo));
        }
        return new Closed<>(records, writtenBackBelow, list.knownFrom());
    }

    private void connect() {
        if (bookKeeper != null) {
            return;
        }
        ClientConfiguration conf = settings.security().client().setMetadataServiceUri(settings.metadataUri());
        // One bookie may be away although there is none in its place.
        conf.setDelayEnsembleChange(true);
        try {
            bookKeeper = BookKeeper.newBuilder(conf).build();
        } catch (BKException | InterruptedException | IOException e) {
            throw failed("reach", "BookKeeper at " + settings.metadataUri(), e);
        }
    }

    /** No other oracle adds a ledger from here on, until it has made the list its own. */
    private void own() {
        try {
            do {
                Versioned read = shared.read(LIST);
                list = LedgerList.parse(read.text()).ownedBy(owner);
                listVersion = shared.compareAndSet(LIST, list.text(), read.version());
            } while (listVersion == REFUSED);
        } catch (UnreachableException | IllegalArgumentException e) {
            throw new StoreException(e.getMessage(), e);
        }
    }

    /** All entries, of a ledger that gets no more. */
    private List<Entry> fence(long ledger) {
        List<Entry> entries = new ArrayList<>();
        try (ReadHandle closed = openForRecovery(ledger)) {
            long last = closed.getLastAddConfirmed();
            for (long first = 0; first <= last; first += READ_AT_ONCE) {
                try (LedgerEntries read = await(closed.readAsync(first, Math.min(last, first + READ_AT_ONCE - 1)))) {
                    for (LedgerEntry entry : read) {
                        entries.add(Entry.parse(entry.getEntryBytes()));
                    }
                }
            }
        } catch (Exception e) {
            throw failed("close and read", "ledger " + ledger, e);
        }
        return entries;
    }

    /** With the first password that fits. */
    private ReadHandle openForRecovery(long ledger) throws Exception {
        for (byte[] password : settings.security().passwords()) {
            try {
                return await(bookKeeper.newOpenLedgerOp().withLedgerId(ledger).withPassword(password).withRecovery(true).execute());
            } catch (BKException e) {
                if (e.getCode() != BKException.Code.UnauthorizedAccessException) {
                    throw e;
                }
            }
        }
        throw new IOException("no password in --ledger-passwords fits it, or bookies do not know the name in --bookkeeper-conf");
    }

    // ---- the present oracle's ledgers

    @Override
    public synchronized Ledger<byte[]> create() {
        return new OpenLedger(this, createLedger(), serving, beside, settings.ledgerBytes(), closed);
    }

    /** A ledger that is in the list. Throws StoreException if another oracle owns that by now. */
    synchronized WriteHandle createLedger() {
        WriteHandle created = newLedger();
        changeList(present -> present.with(created.getId()));
        return created;
    }

    private WriteHandle newLedger() {
        int copies = settings.copies();
        try {
            return await(bookKeeper.newCreateLedgerOp().withEnsembleSize(copies).withWriteQuorumSize(copies).withAckQuorumSize(copies / 2 + 1)
                    .withDigestType(settings.security().digest()).withPassword(settings.security().passwords().get(0)).execute());
        } catch (Exception e) {
            throw failed("create", "a ledger on " + copies + " bookies", e);
        }
    }

    /** @param upTo the highest commit timestamp in it; all that is in it must be written back */
    synchronized void delete(long ledger, long upTo) {
        changeList(present -> present.without(ledger, upTo));
        try {
            await(bookKeeper.newDeleteLedgerOp().withLedgerId(ledger).execute());
        } catch (Exception e) {
            LOG.warn("Ledger {} is not needed any more, but could not be deleted: {}", ledger, e.toString());
        }
    }

    /** A refused write may have been refused because of an own one before, whose answer was lost. */
    private void changeList(UnaryOperator<LedgerList> change) {
        try {
            int version = shared.compareAndSet(LIST, change.apply(list).text(), listVersion);
            while (version == REFUSED) {
                Versioned read = shared.read(LIST);
                list = LedgerList.parse(read.text());
                if (!list.owner().equals(owner)) {
                    throw new StoreException("Another transaction manager has taken over Mediator's log.");
                }
                version = shared.compareAndSet(LIST, change.apply(list).text(), read.version());
            }
            listVersion = version;
            list = change.apply(list);
        } catch (UnreachableException e) {
            throw new StoreException(e.getMessage(), e);
        }
    }

    // ---- BookKeeper

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            throw new TimeoutException("no answer within " + PATIENCE_SECONDS + " s");
        }
    }

    private static StoreException failed(String verb, String what, Exception cause) {
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return new StoreException("Mediator's log could not " + verb + " " + what + ": " + why + ".", cause);
    }

    @Override
    public synchronized void close() {
        beside.shutdown();
        if (bookKeeper != null) {
            try {
                bookKeeper.close();
            } catch (BKException | InterruptedException e) {
                LOG.warn("Closing BookKeeper's client: {}", e.toString());
            }
            bookKeeper = null;
        }
    }
}
