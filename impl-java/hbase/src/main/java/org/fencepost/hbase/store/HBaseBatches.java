package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.BatchRequest;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.RowClock;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.Write;

/**
 * Commits in one phase on HBase: of transactions whose writes lie in one region of a table with a fast path, whose region servers have clocks.
 * What lies in several regions goes the long way; servers with clocks answer its puts with these.
 */
final class HBaseBatches implements BatchStore<CellKey, byte[]> {

    private final Connection repeating;
    private final Connection once;
    private final int timeoutMillis;
    private final Map<TableName, Versions> versions;
    private final Set<TableName> tables = ConcurrentHashMap.newKeySet();

    /** @param versions of tables, as far as they were opened */
    HBaseBatches(Connection repeating, Connection once, int timeoutMillis, Map<TableName, Versions> versions) {
        this.repeating = repeating;
        this.once = once;
        this.timeoutMillis = timeoutMillis;
        this.versions = versions;
    }

    void opened(TableDescriptor table) {
        if (TableAttributes.hasFastPath(table)) {
            tables.add(table.getTableName());
        } else {
            tables.remove(table.getTableName());
        }
    }

    /** As far as this client knows; the region's server looks again. */
    @Override
    public boolean inOneRegion(Collection<CellKey> keys) {
        CellKey first = keys.iterator().next();
        if (!tables.contains(first.table()) || !keys.stream().allMatch(key -> key.table().equals(first.table()))) {
            return false;
        }
        NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        keys.forEach(key -> rows.add(key.row()));
        return rows.size() == 1 || rows.size() <= BatchRequest.MAX_ROWS && isInOneRegion(first.table(), rows);
    }

    private boolean isInOneRegion(TableName table, NavigableSet<byte[]> rows) {
        try (RegionLocator regions = repeating.getRegionLocator(table)) {
            return regions.getRegionLocation(rows.first()).getRegion().containsRow(rows.last());
        } catch (IOException e) {
            return false; // the long way says what is wrong, if it still is
        }
    }

    @Override
    public boolean tellsClocks(Collection<CellKey> keys) {
        return keys.stream().allMatch(key -> tables.contains(key.table()));
    }

    @Override
    public long putTelling(long version, Map<CellKey, Write<byte[]>> writes, Runnable departs) {
        AtomicLong latest = new AtomicLong();
        SideBySide.run(HBaseStore.puts(version, writes).entrySet().stream()
                .<Runnable>map(each -> () -> {
                    departs.run();
                    latest.accumulateAndGet(putTelling(each.getKey(), List.copyOf(each.getValue().values())), Math::max);
                }).toList());
        return latest.get();
    }

    private long putTelling(TableName name, List<Put> puts) {
        puts.forEach(RowClock::ask);
        try (Table table = repeating.getTable(name)) {
            return Stream.of(HBaseStore.batch(table, puts)).mapToLong(RowClock::told).max().orElseThrow();
        } catch (IOException e) {
            throw HBaseStore.failure(HBaseStore.WRITE, name, e);
        }
    }

    @Override
    public boolean putBatch(long startTs, long commitTs, Map<CellKey, Write<byte[]>> writes) {
        TableName name = writes.keySet().iterator().next().table();
        Map<CellKey, Write<byte[]>> others = new HashMap<>(writes);
        Put put = firstRow(startTs, others);
        CheckAndMutate request = BatchRequest.put(put, others, versions.get(name).span(), commitTs);
        if (BatchRequest.isTooLarge(request)) {
            return false; // nothing was sent
        }
        try (Table table = once.getTable(name)) {
            return BatchRequest.isStored(Once.send(timeoutMillis, () -> table.checkAndMutate(request)), name);
        } catch (IOException e) {
            if (Once.wasRefused(e) || Failures.isNoFastPath(e) || Failures.isOutside(e)) {
                return false; // nothing was begun, and nothing is under way
            }
            throw Failures.store("commit", name, e);
        }
    }

    /** Takes what belongs to the first of the rows away from the writes. The same of the same keys: the question goes where the batch went. */
    private static Put firstRow(long startTs, Map<CellKey, Write<byte[]>> writes) {
        byte[] row = Collections.min(writes.keySet(), Comparator.comparing(CellKey::row, Bytes.BYTES_COMPARATOR)).row();
        Put put = OmidWrites.mark(new Put(row));
        writes.entrySet().removeIf(write -> {
            CellKey key = write.getKey();
            if (!Bytes.equals(key.row(), row)) {
                return false;
            }
            put.addColumn(key.family(), key.qualifier(), startTs, Layout.encode(write.getValue()));
            return true;
        });
        return put;
    }

    @Override
    public boolean findsRecord(long startTs, long commitTs, Collection<CellKey> keys) {
        TableName name = keys.iterator().next().table();
        Map<CellKey, Write<byte[]>> others = new HashMap<>();
        keys.forEach(key -> others.put(key, Write.tombstone()));
        Put put = firstRow(startTs, others);
        CheckAndMutate request = BatchRequest.find(put, others, versions.get(name).span(), commitTs);
        try (Table table = repeating.getTable(name)) {
            return BatchRequest.isStored(table.checkAndMutate(request), name);
        } catch (IOException e) {
            throw Failures.store("look for a commit", name, e);
        }
    }
}
