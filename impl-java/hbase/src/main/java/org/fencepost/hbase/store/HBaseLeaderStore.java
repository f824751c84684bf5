package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.LeaderPointer;
import org.fencepost.hbase.layout.LeaderRequest;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.store.Write;

/**
 * The store on HBase tables with leaders (Fragola section 3.2), guarded by {@code LeaderObserver}: each record has a third cell, the pointer
 * ({@link LeaderPointer}), in the same mutation as its value.
 *
 * <p>HBase's client repeats requests whose answer was lost, without telling. That blurs the answer to a commit, so those go through a
 * connection that never repeats, as in {@link HBaseCommitTable}; and so do puts that are answered before the region server's log has them
 * (ASYNC_WAL). They are in it when the commit is answered, since a region has one log and all before is in it, too.
 *
 * <p>Old versions and the markers of leaders that are gone are left to HBase's compactions.
 */
public final class HBaseLeaderStore extends HBaseStore implements LeaderStore<CellKey, byte[]> {

    private final Connection once;
    private final int timeoutMillis;

    /**
     * @param connection    stays open, and the caller's to close
     * @param once          sends every request once: see {@link Once}
     * @param timeoutMillis for each operation
     */
    public HBaseLeaderStore(Connection connection, Connection once, int timeoutMillis) {
        super(connection);
        this.once = once;
        this.timeoutMillis = timeoutMillis;
    }

    /** Refused: a record without pointer to its leader is none. */
    @Override
    public void put(long version, Map<CellKey, Write<byte[]>> writes) {
        throw new UnsupportedOperationException("A record of a table with leaders has a pointer: name the leader.");
    }

    @Override
    public void put(long version, CellKey leader, Map<CellKey, Write<byte[]>> writes) {
        mutate("write", writes.keySet(), HBaseStore::put, (put, key) -> add(put, key, version, leader, writes.get(key)));
    }

    private static void add(Put put, CellKey key, long version, CellKey leader, Write<byte[]> write) {
        put.addColumn(key.family(), key.qualifier(), version, Layout.encode(write))
                .addColumn(key.family(), Layout.pointerQualifier(key.qualifier()), version, LeaderPointer.encode(key, leader));
    }

    @Override
    public void putOnce(long version, CellKey leader, Write<byte[]> write) {
        Put put = put(leader.row()).setDurability(Durability.ASYNC_WAL);
        add(put, leader, version, leader, write);
        try (Table table = table(once, leader.table())) {
            table.put(put);
        } catch (IOException e) {
            if (Failures.isInterruption(e)) {
                throw Failures.store("write", leader.table(), e);
            }
            put(version, leader, Map.of(leader, write)); // which says what is wrong, if that was no accident
        }
    }

    @Override
    List<byte[]> qualifiers(CellKey key) {
        return List.of(key.qualifier(), Layout.commitQualifier(key.qualifier()), Layout.pointerQualifier(key.qualifier()));
    }

    @Override
    public void removeAborted(Collection<CellKey> keys, long version) {
        remove(keys, version, key -> List.of(key.qualifier(), Layout.pointerQualifier(key.qualifier())));
    }

    @Override
    public long commitCell(CellKey leader, long version) {
        try (Table table = table(connection, leader.table())) {
            return LeaderRequest.answer(table.get(LeaderRequest.lookUp(leader, version)), leader.table());
        } catch (IOException e) {
            throw Failures.store("read a leader's commit cell", leader.table(), e);
        }
    }

    @Override
    public long checkAndMutate(CellKey leader, long version, long entry) {
        try {
            return entry == Timestamps.INVALIDATED ? send(connection, leader, version, entry)
                    : Once.send(timeoutMillis, () -> send(once, leader, version, entry));
        } catch (IOException e) {
            throw Failures.store("write a leader's commit cell", leader.table(), e);
        }
    }

    private long send(Connection through, CellKey leader, long version, long entry) throws IOException {
        try (Table table = table(through, leader.table())) {
            return LeaderRequest.answer(table.checkAndMutate(LeaderRequest.checkAndMutate(leader, version, entry)).getResult(), leader.table());
        }
    }

    private Table table(Connection through, TableName name) {
        return through.getTableBuilder(name, null).setOperationTimeout(timeoutMillis).setRpcTimeout(timeoutMillis)
                .setReadRpcTimeout(timeoutMillis).setWriteRpcTimeout(timeoutMillis).build();
    }

    /** None: compactions drop them. */
    @Override
    public PrimitiveIterator.OfLong loneMarkers(CellKey key, long watermark) {
        return LongStream.empty().iterator();
    }

    @Override
    public void removeMarker(CellKey key, long version) {
        remove(List.of(key), version, marked -> List.of(Layout.commitQualifier(marked.qualifier())));
    }

    /** Tells all regions of a table that below the watermark all records of all tables are settled. */
    public void tellSettled(TableName name, long watermark) {
        try (RegionLocator regions = connection.getRegionLocator(name); Table table = table(connection, name)) {
            for (byte[] start : regions.getStartKeys()) {
                long settled = LeaderRequest.answer(table.get(LeaderRequest.settled(start, watermark)), name);
                if (settled < watermark) {
                    throw new IllegalStateException("Region " + Bytes.toStringBinary(start) + " of " + name + " was told " + watermark + " and knows "
                            + settled + ".");
                }
            }
        } catch (IOException e) {
            throw Failures.store("tell what is settled", name, e);
        }
    }
}
