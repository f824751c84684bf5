package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
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
 * Commits in one phase on HBase: of transactions whose writes lie in one row of a table with a fast path, whose region servers have clocks.
 * What lies in several rows goes the long way, even if one region has them all; servers with clocks answer its puts with these.
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

    @Override
    public boolean inOneRegion(Collection<CellKey> keys) {
        CellKey first = keys.iterator().next();
        return tables.contains(first.table()) && keys.stream().allMatch(key -> key.table().equals(first.table()) && Bytes.equals(key.row(), first.row()));
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
        CellKey first = writes.keySet().iterator().next();
        Put put = OmidWrites.mark(new Put(first.row()));
        writes.forEach((key, write) -> put.addColumn(key.family(), key.qualifier(), startTs, Layout.encode(write)));
        CheckAndMutate request = BatchRequest.put(put, versions.get(first.table()).span(), commitTs);
        try (Table table = once.getTable(first.table())) {
            return BatchRequest.isStored(Once.send(timeoutMillis, () -> table.checkAndMutate(request)), first.table());
        } catch (IOException e) {
            if (Once.wasRefused(e) || Failures.isNoFastPath(e) || Failures.isOutside(e)) {
                return false; // nothing was begun, and nothing is under way
            }
            throw Failures.store("commit", first.table(), e);
        }
    }

    @Override
    public boolean findsRecord(long startTs, long commitTs, Collection<CellKey> keys) {
        CellKey first = keys.iterator().next();
        CheckAndMutate request = BatchRequest.find(first, versions.get(first.table()).span(), startTs, commitTs);
        try (Table table = repeating.getTable(first.table())) {
            return BatchRequest.isStored(table.checkAndMutate(request), first.table());
        } catch (IOException e) {
            throw Failures.store("look for a commit", first.table(), e);
        }
    }
}
