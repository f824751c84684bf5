package org.fencepost.hbase.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Requests;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.RowRecords;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.IndexBuild;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;

/**
 * Builds an {@link Index} while its table is written (VLDB'18 section 6.1): puts a fence on the table, brings in what it holds, by parts that
 * are transactions of their own ({@link IndexBuild}), and tells in the index's description from when on it is ready. Of who had
 * begun before the fence and writes the table, each aborts once. To be run when all who write the column do it through
 * {@link TransactionClient#indexed}.
 *
 * <p>It may be run again at any time, after a death or beside another one, and may go on behind the last row that
 * one of them has told: all puts have the version that the row's own writer would have given them.
 */
public final class IndexBuilder {

    /**
     * How far it is.
     *
     * @param lastRow up to which all rows of the table were populated, itself included
     * @param rows    how many of this call had a value
     */
    public record Progress(byte[] lastRow, long rows) {
    }

    /**
     * How much of the cluster a build takes from those who use it meanwhile.
     *
     * @param rows are read and populated together, 1 to 10,000, as far as they have no more than 4 MiB
     * @param rest after each batch the build waits so many times as long as the batch took, 0 to 1,000
     */
    public record Pace(int rows, double rest) {

        /** Writers hardly notice it: it works a fifth of the time, in small batches. */
        public static final Pace GENTLE = new Pace(100, 4);
        /** Without rests. */
        public static final Pace FULL = new Pace(1_000, 0);

        private static final int MOST_ROWS = 10_000;
        private static final double MOST_REST = 1_000;

        /** Throws IllegalArgumentException. */
        public Pace {
            if (rows < 1 || rows > MOST_ROWS || !(rest >= 0 && rest <= MOST_REST)) {
                throw new IllegalArgumentException("A build has 1 to " + MOST_ROWS + " rows in a batch, and rests 0 to " + MOST_REST + " times as long as one takes.");
            }
        }
    }

    /** Of the rows that are read and populated together; with the last one more, perhaps. */
    private static final long BATCH_BYTES = 4 << 20;

    private final TransactionClient client;
    private final Index index;
    private final OmidLL<CellKey, byte[]> ll;
    private final HBaseStore rows;
    private final Requests requests;
    private final IndexBuild<CellKey, byte[]> build;
    private final Pace pace;
    private final Consumer<Progress> progress;
    private byte[] lastRow;
    private long populated;

    private IndexBuilder(TransactionClient client, Index index, byte[] after, Pace pace, Consumer<Progress> progress) throws IOException {
        this.client = client;
        this.index = index;
        this.ll = Internals.protocol(client);
        this.rows = Internals.rows(client);
        this.requests = new Requests(Descriptions.read(connection(), index.table()), 0);
        this.build = new IndexBuild<>(ll, Internals.store(client), Internals.manager(client), Internals.kept(index, ll), CellKey.tableId(index.table()), Tracer.OFF);
        this.pace = pace;
        this.progress = progress;
        this.lastRow = after;
    }

    /** The same at the pace {@link Pace#GENTLE}. */
    public static long build(TransactionClient client, Index index, byte[] after, Consumer<Progress> progress) {
        return build(client, index, after, Pace.GENTLE, progress);
    }

    /**
     * Builds the index; if it is ready, nothing is done. An interrupted thread does not rest any more.
     *
     * @param after    a row that {@link Progress#lastRow} of an earlier build of the same index has told, to go on behind it; null for none
     * @param progress told after each batch, by this thread
     * @return the index is ready for snapshots from this timestamp on
     * @throws InvalidTableException       if the index cannot be: see {@link TransactionClient#indexed}
     * @throws StoreException              if HBase does not answer; run it again, behind the last row that was told
     * @throws TransactionManagerException if the transaction manager does not answer; the same
     */
    public static long build(TransactionClient client, Index index, byte[] after, Pace pace, Consumer<Progress> progress) {
        client.indexed(index); // throws what there is to say
        try {
            return new IndexBuilder(client, index, after, pace, progress).build();
        } catch (IOException e) {
            throw Failures.store("build an index of", index.table(), e);
        }
    }

    private Connection connection() {
        return Internals.connection(client);
    }

    private long build() throws IOException {
        TableDescriptor present = Descriptions.read(connection(), index.name());
        if (present.getValue(TableAttributes.INDEX_READY) != null) {
            return Long.parseLong(present.getValue(TableAttributes.INDEX_READY));
        }
        build.fence();
        long readyFrom = 0;
        while (readyFrom == 0) {
            readyFrom = part();
        }
        try (Admin admin = connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(index.name()))
                    .setValue(TableAttributes.INDEX_READY, Long.toString(readyFrom)).build());
        }
        return readyFrom;
    }

    /** From when on the index is ready; 0 if rows are left. */
    private long part() throws IOException {
        OmidLLTransaction<CellKey, byte[]> part = build.buildBegin();
        long halfTime = part.deadlineNanos() - (part.deadlineNanos() - now()) / 2;
        byte[] before = lastRow;
        try (Table table = connection().getTable(index.table()); ResultScanner stored = table.getScanner(scan(part))) {
            while (now() - halfTime < 0) {
                long begin = now();
                List<Result> batch = batch(stored);
                populate(part, batch);
                if (batch.isEmpty()) {
                    return build.ready(part);
                }
                Internals.clock(client).sleep(Math.min((long) ((now() - begin) * pace.rest()), halfTime - now()));
            }
            build.endPart(part);
            return 0;
        } catch (TransactionAbortedException e) {
            if (e.abortCause() != AbortCause.EXPIRED || lastRow == before) {
                throw e; // a transaction does not live long enough for a batch
            }
            return 0;
        }
    }

    private long now() {
        return Internals.clock(client).nanos();
    }

    private Scan scan(OmidLLTransaction<CellKey, byte[]> part) throws IOException {
        Scan scan = new Scan().addColumn(index.family(), index.qualifier()).setCacheBlocks(false).setCaching(pace.rows());
        if (lastRow != null) {
            scan.withStartRow(lastRow, false);
        }
        return requests.widen(scan, part.startTs(), part.fetchPoint());
    }

    /** The next rows; none at the end of the table. */
    private List<Result> batch(ResultScanner stored) throws IOException {
        List<Result> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < pace.rows() && bytes < BATCH_BYTES) {
            Result next = stored.next();
            if (next == null) {
                break;
            }
            batch.add(next);
            bytes += Result.getTotalSizeOfCells(next);
        }
        return batch;
    }

    private void populate(OmidLLTransaction<CellKey, byte[]> part, List<Result> batch) {
        Map<CellKey, Record<byte[]>> found = new LinkedHashMap<>();
        for (Result stored : batch) {
            RowRecords.of(index.table(), rows.versionsOf(index.table()), stored)
                    .forEach((key, records) -> found.put(key, ll.read(part, key, rows.resume(key, records))));
        }
        build.populate(part, found);
        if (!batch.isEmpty()) {
            lastRow = batch.get(batch.size() - 1).getRow();
            populated += found.values().stream().filter(record -> record != null && !record.isTombstone()).count();
            progress.accept(new Progress(lastRow, populated));
        }
    }
}
