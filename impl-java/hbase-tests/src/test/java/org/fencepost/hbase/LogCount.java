package org.fencepost.hbase;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Counts how often a table's regions write to their log, each time one append, and how often somebody waits for its sync. In this JVM. */
public final class LogCount implements RegionCoprocessor, RegionObserver {

    private static final Map<TableName, LongAdder> SYNCS = new ConcurrentHashMap<>();
    private static final Map<TableName, LongAdder> APPENDS = new ConcurrentHashMap<>();

    static void in(Admin admin, TableName table) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(table)).setCoprocessor(LogCount.class.getName()).build());
    }

    static long syncs(TableName... tables) {
        return count(SYNCS, tables);
    }

    static long appends(TableName... tables) {
        return count(APPENDS, tables);
    }

    private static long count(Map<TableName, LongAdder> counts, TableName... tables) {
        long sum = 0;
        for (TableName table : tables) {
            sum += counts.computeIfAbsent(table, t -> new LongAdder()).sum();
        }
        return sum;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void postBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch) {
        TableName table = context.getEnvironment().getRegionInfo().getTable();
        APPENDS.computeIfAbsent(table, t -> new LongAdder()).increment();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.getOperation(i).getDurability() != Durability.ASYNC_WAL) {
                SYNCS.computeIfAbsent(table, t -> new LongAdder()).increment();
                return;
            }
        }
    }
}
