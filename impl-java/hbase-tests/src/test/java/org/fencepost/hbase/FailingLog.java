package org.fencepost.hbase;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** A log that takes nothing for a while, as one does that has lost its data nodes. In this JVM, and of the tables that have it. */
public final class FailingLog implements RegionCoprocessor, RegionObserver {

    private static volatile boolean fails;
    private static final AtomicInteger FAILED = new AtomicInteger();

    static void in(Admin admin, TableName table) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(table)).setCoprocessor(CoprocessorDescriptorBuilder
                .newBuilder(FailingLog.class.getName()).setPriority(Coprocessor.PRIORITY_LOWEST).build()).build()); // after those that are told first
    }

    static void fails(boolean from) {
        FAILED.set(0);
        fails = from;
    }

    /** Since it began to fail. */
    static int failed() {
        return FAILED.get();
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preWALAppend(ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit) throws IOException {
        if (fails) {
            FAILED.incrementAndGet();
            throw new IOException("the log has no data nodes");
        }
    }
}
