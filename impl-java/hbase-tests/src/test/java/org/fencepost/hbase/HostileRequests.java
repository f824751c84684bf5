package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.CommitTableRequest;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.MediatorRequest;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.TwoPhaseRequest;
import org.fencepost.protocol.store.Write;

/**
 * Requests and cells that nobody's client sends: well-formed ones with parts altered, and nonsense. All that follows from the
 * seed. Rows begin with h; timestamps that could be the transaction manager's are small, lest they lift clocks.
 */
final class HostileRequests {

    private static final String[] ATTRIBUTES = {"fencepost.snapshot", "fencepost.span", "fencepost.decide", "fencepost.fast.read", "fencepost.fast.write",
            "fencepost.leftovers", "fencepost.version", "fencepost.prewrite", "fencepost.mediator.read", "fencepost.mediator.check",
            "fencepost.mediator.commit", "fencepost.mediator.writeback"};
    private static final String[] QUALIFIERS = {"a", "b", "", "e", "a\0fpc", "\0fpc", "a\0fp", "\0"};

    /** The scan that was sent last; null before. Whoever waits too long for it can tell it. */
    Scan last;
    private final Random random;
    private final long span;

    HostileRequests(long seed, long span) {
        this.random = new Random(seed);
        this.span = span;
    }

    /** One request, until it is answered. Throws IllegalArgumentException if HBase's client does not send it. */
    void send(Table table) throws IOException {
        switch (random.nextInt(10)) {
            case 0, 1 -> table.get(get(table.getName()));
            case 2 -> table.exists(get(table.getName()));
            case 3, 4 -> scan(table);
            case 5, 6 -> table.checkAndMutate(checkAndMutate(table.getName()));
            case 7 -> mutate(table, mutation(row()));
            case 8 -> table.mutateRow(mutations(row()));
            default -> batch(table);
        }
    }

    private static void mutate(Table table, Mutation mutation) throws IOException {
        if (mutation instanceof Put put) {
            table.put(put);
        } else if (mutation instanceof Delete delete) {
            table.delete(delete);
        } else if (mutation instanceof Increment increment) {
            table.increment(increment);
        } else {
            table.append((Append) mutation);
        }
    }

    private void batch(Table table) throws IOException {
        List<Row> all = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            all.add(random.nextInt(3) == 0 ? get(table.getName()) : random.nextInt(5) == 0 ? mutations(row()) : mutation(row()));
        }
        try {
            table.batch(all, new Object[all.size()]);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void scan(Table table) throws IOException {
        Scan scan = new Scan().withStartRow(row(), random.nextBoolean()).withStopRow(row(), random.nextBoolean());
        scan.setReversed(random.nextInt(3) == 0).setRaw(random.nextInt(5) == 0);
        if (random.nextInt(4) == 0) {
            scan.setAllowPartialResults(true).setMaxResultSize(1 + random.nextInt(200));
        } else if (random.nextInt(4) == 0) {
            scan.setBatch(1 + random.nextInt(3));
        } else {
            scan.setLimit(1 + random.nextInt(20)); // which HBase's client miscounts with parts of rows
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            scan.addColumn(family(), qualifier());
        }
        long until = alterRead(scan);
        scan.readVersions(random.nextInt(5) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(4)).setTimeRange(0, until);
        last = scan;
        try (ResultScanner rows = table.getScanner(alter(scan))) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                row.size();
            }
        }
    }

    private Get get(TableName name) throws IOException {
        byte[] row = row();
        return alter(switch (random.nextInt(5)) {
            case 0 -> FastRequest.read(new CellKey(name, row, family(), qualifier()), span);
            case 1 -> MediatorRequest.read(columns(name, row), number());
            case 2 -> MediatorRequest.check(columns(name, row), number());
            default -> {
                Get get = new Get(row);
                for (int i = random.nextInt(3); i > 0; i--) {
                    get.addColumn(family(), qualifier());
                }
                long until = alterRead(get);
                yield get.readVersions(1 + random.nextInt(4)).setTimeRange(0, until);
            }
        });
    }

    /** Often one in a snapshot, as it should be; returns until when. */
    private long alterRead(Query read) throws IOException {
        long snapshot = Math.max(0, number());
        if (random.nextInt(3) == 0) {
            DecidedRows.ask(read, random.nextBoolean() ? null : random.nextInt(3) == 0 ? new PageFilter(2) : new KeyOnlyFilter());
        }
        if (random.nextInt(3) > 0) {
            FastRequest.setSnapshot(FastRequest.withSpan(read, random.nextInt(4) == 0 ? number() : span), snapshot);
        }
        switch (random.nextInt(8)) {
            case 0 -> read.setFilter(new KeyOnlyFilter());
            case 1 -> read.setFilter(new FirstKeyOnlyFilter());
            case 2 -> read.setFilter(random.nextBoolean() ? new PageFilter(2) : new ColumnCountGetFilter(1));
            case 3 -> read.setColumnFamilyTimeRange(F, 0, 1 + random.nextInt(100));
            default -> {}
        }
        return random.nextInt(8) == 0 ? 1 + random.nextInt(100) : snapshot;
    }

    private NavigableMap<CellKey, Long> columns(TableName name, byte[] row) {
        NavigableMap<CellKey, Long> columns = new TreeMap<>(CellKey.COLUMN_ORDER);
        for (int i = random.nextInt(3); i >= 0; i--) {
            columns.put(new CellKey(name, row, family(), qualifier()), number());
        }
        return columns;
    }

    private CheckAndMutate checkAndMutate(TableName name) throws IOException {
        byte[] row = row();
        CellKey key = new CellKey(name, row, family(), qualifier());
        CheckAndMutate request = switch (random.nextInt(5)) {
            case 0 -> FastRequest.write(key, Write.of(content()), new FastRequest.Terms(random.nextInt(4) == 0 ? number() : span, number()));
            case 1 -> CommitTableRequest.request(commitRow(), number());
            case 2 -> MediatorRequest.localCommit(key, random.nextBoolean() ? mutations(row) : putOrDelete(row), number());
            case 3 -> TwoPhaseRequest.request(OmidWrites.mark(new Put(row)).addColumn(key.family(), key.qualifier(), ts(), content()));
            default -> {
                CheckAndMutate.Builder condition = CheckAndMutate.newBuilder(row).ifNotExists(family(), qualifier());
                yield switch (random.nextInt(3)) {
                    case 0 -> condition.build(mutations(row));
                    case 1 -> condition.build((Put) alter(put(row)));
                    default -> condition.build((Increment) alter(new Increment(row).addColumn(family(), qualifier(), 1)));
                };
            }
        };
        if (request.getAction() instanceof Mutation mutation) {
            alter(mutation);
        }
        return request;
    }

    private RowMutations mutations(byte[] row) throws IOException {
        RowMutations all = new RowMutations(row);
        for (int i = random.nextInt(3); i >= 0; i--) {
            all.add(mutation(row));
        }
        return all;
    }

    private Row putOrDelete(byte[] row) {
        return random.nextBoolean() ? put(row) : delete(row);
    }

    private Mutation mutation(byte[] row) {
        Mutation mutation = switch (random.nextInt(6)) {
            case 0 -> new Increment(row).addColumn(family(), qualifier(), random.nextInt());
            case 1 -> new Append(row).addColumn(family(), qualifier(), content());
            case 2, 3 -> delete(row);
            default -> put(row);
        };
        if (random.nextInt(3) > 0) {
            OmidWrites.mark(mutation);
        }
        if (random.nextInt(10) == 0) {
            mutation.setAttribute("_ttl", Bytes.toBytes(random.nextLong() >>> 1 | 1));
        }
        return alter(mutation);
    }

    private Put put(byte[] row) {
        Put put = new Put(row);
        for (int i = random.nextInt(3); i >= 0; i--) {
            put.addColumn(family(), qualifier(), ts(), random.nextInt(3) == 0 ? Bytes.toBytes(number()) : content());
        }
        return put;
    }

    private Delete delete(byte[] row) {
        Delete delete = new Delete(row);
        for (int i = random.nextInt(3); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> delete.addColumns(family(), qualifier(), ts());
                case 1 -> delete.addFamily(family(), ts());
                case 2 -> delete.addFamilyVersion(family(), ts());
                default -> delete.addColumn(family(), qualifier(), ts());
            }
        }
        return delete;
    }

    // ---- parts

    private <O extends OperationWithAttributes> O alter(O request) {
        for (int i = random.nextInt(4); i > 1; i--) {
            request.setAttribute(ATTRIBUTES[random.nextInt(ATTRIBUTES.length)], bytes());
        }
        return request;
    }

    private byte[] bytes() {
        byte[] bytes = switch (random.nextInt(8)) {
            case 0 -> Bytes.toBytes(number());
            case 1 -> Bytes.add(Bytes.toBytes(span), Bytes.toBytes(number()));
            case 2 -> Bytes.add(Bytes.toBytes(number()), Bytes.toBytes(number()));
            case 3 -> new byte[random.nextInt(1 << 14)];
            default -> new byte[random.nextInt(27)];
        };
        if (random.nextInt(4) == 0) {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    /** Those that look like timestamps are of long ago, or were never given. */
    private long number() {
        return switch (random.nextInt(9)) {
            case 0 -> random.nextLong();
            case 8 -> random.nextLong() / span * span;
            case 1 -> Long.MAX_VALUE;
            case 2 -> Long.MIN_VALUE;
            case 3 -> random.nextInt(5) - 3;
            case 4 -> random.nextInt(100);
            default -> span * (1 + random.nextInt(5));
        };
    }

    private long ts() {
        long ts = number();
        return ts >= 0 ? ts : HConstants.LATEST_TIMESTAMP;
    }

    private byte[] row() {
        return random.nextInt(12) == 0 ? commitRow() : Bytes.toBytes("h" + random.nextInt(20));
    }

    /** Never that of a transaction there may be. */
    private byte[] commitRow() {
        if (random.nextInt(8) == 0) {
            return CommitRows.watermarkRow(random.nextInt(3));
        }
        byte[] row = new byte[1 + random.nextInt(12)];
        random.nextBytes(row);
        row[0] = (byte) random.nextInt(3);
        if (row.length > 1) {
            row[1] |= 0x40;
        }
        return row;
    }

    private byte[] family() {
        return random.nextInt(12) == 0 ? Bytes.toBytes(random.nextBoolean() ? "x" : "m") : random.nextInt(8) == 0 ? CommitRows.FAMILY : F;
    }

    private byte[] qualifier() {
        return Bytes.toBytes(QUALIFIERS[random.nextInt(QUALIFIERS.length)]);
    }

    private byte[] content() {
        byte[] content = new byte[random.nextInt(4) == 0 ? 8 : random.nextInt(20)];
        random.nextBytes(content);
        return random.nextInt(20) == 0 ? Layout.encode(Write.tombstone()) : content;
    }

    // ---- stored cells

    /** Past the coprocessors. Never a watermark, without which a shard rightly takes no entry. */
    List<Put> cells(byte[] family, int rows) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            byte[] row = row();
            while (CommitRows.isRow(row) && CommitRows.isWatermarkRow(row)) {
                row = row();
            }
            Put put = new Put(row);
            for (int j = random.nextInt(6); j >= 0; j--) {
                long ts = Math.min(ts(), HConstants.LATEST_TIMESTAMP - 1);
                byte[] content = random.nextInt(3) == 0 ? Bytes.toBytes(number()) : content();
                put.addColumn(family, qualifier(), ts, content);
            }
            puts.add(put);
        }
        return puts;
    }
}
