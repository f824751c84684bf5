package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.MediatorRequest;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.server.rows.AllCells;
import org.fencepost.hbase.server.rows.RawVersions;
import org.fencepost.hbase.server.rows.RowVersions;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.mediator.MediatorRegion.StampedPut;
import org.fencepost.protocol.mediator.MediatorRegion;
import org.fencepost.protocol.trace.Tracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coprocessor of tables that Mediator's transactions share with HBase clients that know nothing of them (SYSTOR'14 section 4.4,
 * specs/Mediator.tla): calls {@link MediatorRegion} where HBase's requests come by. One instance for each region; the regions
 * of a table on a server share a clock ({@link ServerClock}).
 *
 * <p>Native puts and deletes get their timestamps here, in place of the server's time, under the row's shared lock and before
 * they are logged; until they can be read their rows are in flight. What a batch does to a row has one stamp, whatever columns
 * it puts or deletes; a batch of several rows has as many. Native gets and scans are HBase's own.
 *
 * <p>What reads before it writes (increments, appends, checks) would miss a transaction that has committed and is not yet
 * written back, and is refused; so is what brings timestamps of its own.
 */
public final class MediatorObserver extends DescriptionGuard {

    private static final Logger LOG = LoggerFactory.getLogger(MediatorObserver.class);

    /** Begins what a client reads when a native request is refused. */
    public static final String REFUSED = "A table that is shared with transactions takes ";

    /** Of all regions in this JVM; for tests. */
    public static volatile Tracer tracer = Tracer.OFF;

    private final RegionObserver guarded = Guarded.of(this);
    /** Null where the table's description or the configuration is no good: {@link #problem} says why. */
    private MediatorRegion<byte[], IOException> mediator;
    private ServerClock server;
    private String problem;
    private Rights rights;
    /** What {@link #preBatchMutate} has stamped and HBase has not stored. */
    private final Map<MiniBatchOperationInProgress<Mutation>, Map<byte[], StampedPut<byte[], IOException>>> stamped =
            new ConcurrentHashMap<>();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(guarded);
    }

    @Override
    void check(TableDescriptor table) {
        TableAttributes.requireMediated(table);
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        super.start(environment);
        RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
        TableDescriptor table = region.getRegion().getTableDescriptor();
        Configuration conf = ServerManager.configuration(region);
        try {
            long span = TableAttributes.requireMediated(table);
            server = ServerClock.open(region, table.getTableName(), new Versions(span, 1));
            long patience = conf.getLong(Settings.FAST_WAIT, 2_000);
            mediator = new MediatorRegion<>(server.clock(),
                    (needed, then) -> server.bootstrapClock(told -> requireOurs(table, told), needed, then), Bytes.BYTES_COMPARATOR,
                    Arrays::hashCode, () -> Latch.ofPut(patience), () -> Latch.ofTime(patience, server.manager().waiting()), () -> tracer);
        } catch (RuntimeException e) {
            problem = e.getMessage(); // HBase would abort the server if this were thrown
            LOG.error("No native puts in {}: {}", region.getRegionInfo().getEncodedName(), problem);
        }
    }

    private static void requireOurs(TableDescriptor table, ManagerInfo told) throws IOException {
        try {
            TableAttributes.requireManager(table, told);
        } catch (InvalidTableException e) {
            throw new IOException(e.getMessage());
        }
    }

    @Override
    public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        if (mediator != null) {
            mediator.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Later than whatever a server did that had the region before: HBase has fenced it by now. */
    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
        rights = Rights.on(context.getEnvironment());
        if (mediator != null) {
            mediator.syncServer();
        }
    }

    private MediatorRegion<byte[], IOException> mediator() throws DoNotRetryIOException {
        if (mediator == null) {
            throw new DoNotRetryIOException(problem);
        }
        return mediator;
    }

    // ---- transactions: reads and checks

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        if (answeredByDescription(context, get, result)) {
            return;
        }
        Region region = context.getEnvironment().getRegion();
        TableName table = region.getTableDescriptor().getTableName();
        try {
            MediatorRequest.Asked read = MediatorRequest.read(table, get);
            MediatorRequest.Asked check = MediatorRequest.check(table, get);
            if (read == null && check == null) {
                return; // native
            }
            requireReadable(get, read == null ? check : read);
            result.add(MediatorRequest.answer(get.getRow(), check == null ? Timestamps.NIL : txCheckConflict(region, get, check)));
            if (read != null) {
                result.addAll(txGet(region, get, read));
            }
        } catch (IllegalArgumentException e) { // a timestamp that leaves no room for stamps
            throw new DoNotRetryIOException(e.getMessage());
        }
        context.bypass();
    }

    /** Transactions read columns by name. One that the caller may not read would look deleted, or untouched. */
    private static void requireReadable(Get get, MediatorRequest.Asked asked) throws IOException {
        for (CellKey column : asked.columns().keySet()) {
            AllCells.require(get.getFilter(), MediatorRequest.version(column, asked.ts(), Cell.Type.Put, HConstants.EMPTY_BYTE_ARRAY));
        }
        AllCells.in(get);
    }

    private List<Cell> txGet(Region region, Get get, MediatorRequest.Asked read) throws IOException {
        if (read.ts() != MediatorRequest.LATEST && admits(read.ts())) {
            mediator().fenceRead(List.of(get.getRow()), read.ts());
        }
        return RowVersions.lastBefore(region, get, read);
    }

    /** False as long as nobody can have a stamp on this server: then there is nothing to fence. */
    private boolean admits(long ts) throws IOException {
        mediator();
        return server.admits(ts, rights::mayWrite);
    }

    /** The timestamp of a conflicting version; NIL if there is none. */
    private long txCheckConflict(Region region, Get get, MediatorRequest.Asked check) throws IOException {
        OptionalLong since = check.columns().values().stream().mapToLong(Long::longValue).filter(ts -> ts != MediatorRequest.FENCE_ONLY).min();
        if (admits(check.ts())) {
            mediator().fenceCommit(since.isPresent() ? List.of(get.getRow()) : List.of(), check.ts());
        }
        return since.isEmpty() || mediator().untouchedSince(get.getRow(), since.getAsLong()) ? Timestamps.NIL
                : RowVersions.conflict(region, get, check, since.getAsLong());
    }

    /** Natively read, there is only one version to be seen, and that is never lost. */
    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        RawVersions.in(scan);
    }

    // ---- put transactions

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        long startTs = MediatorRequest.startTs(request);
        if (startTs == Timestamps.NIL) {
            throw readsFirst("check-and-mutate");
        }
        for (Mutation mutation : MediatorRequest.mutations(request.getAction())) {
            requireStampable(mutation);
        }
        context.bypass();
        return MediatorRequest.answer(request, localCommit(context.getEnvironment().getRegion(), request, startTs));
    }

    private long localCommit(Region region, CheckAndMutate request, long startTs) throws IOException {
        mediator().awaitTime(); // without it there is nobody to tell whether the start was given
        admits(startTs);
        StampedPut<byte[], IOException> put = opened(mediator.localCommit(request.getRow(), startTs));
        List<Mutation> mutations = MediatorRequest.mutations(request.getAction());
        boolean success = false;
        LogOfThread.begin();
        try {
            RowMutations all = new RowMutations(request.getRow());
            for (Mutation mutation : mutations) {
                stamp(mutation, put.ts());
                all.add(MediatorRequest.writeBack(mutation));
            }
            region.mutateRow(all);
            success = true;
            return put.ts();
        } finally {
            storePuts(region, List.of(put), success ? null : mutations.get(0));
        }
    }

    // ---- native puts and deletes

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        admit(put);
    }

    @Override
    public void preDelete(ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
            throws IOException {
        admit(delete);
    }

    /** Before the row is locked; so it waits here for the time, if it must. */
    private void admit(Mutation mutation) throws IOException {
        if (MediatorRequest.isWriteBack(mutation)) {
            MediatorRequest.requireWriteBack(mutation);
            return;
        }
        requireStampable(mutation);
        mediator().awaitTime();
    }

    private static void requireStampable(Mutation mutation) throws DoNotRetryIOException {
        for (Cell cell : Layout.cells(mutation)) {
            if (cell.getTimestamp() != HConstants.LATEST_TIMESTAMP) {
                throw new DoNotRetryIOException(REFUSED + "no timestamps from its clients: leave that of row "
                        + Bytes.toStringBinary(mutation.getRow()) + " out.");
            }
            if (cell.getType() == Cell.Type.Delete || cell.getType() == Cell.Type.DeleteFamilyVersion) {
                throw new DoNotRetryIOException(REFUSED + "no deletions of single versions: delete the column, or the family.");
            }
        }
        if (mutation.getTTL() != Long.MAX_VALUE) {
            throw new DoNotRetryIOException(REFUSED + "no times to live, since its timestamps are no times of day.");
        }
    }

    /** NativePut */
    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        LogOfThread.begin();
        Map<byte[], StampedPut<byte[], IOException>> puts = null;
        for (int i = 0; i < batch.size(); i++) {
            Mutation mutation = batch.getOperation(i);
            if (MediatorRequest.isWriteBack(mutation)) {
                noteWriteBack(mutation);
                continue;
            }
            if (puts == null) {
                puts = new TreeMap<>(Bytes.BYTES_COMPARATOR);
                stamped.put(batch, puts);
            }
            StampedPut<byte[], IOException> put = puts.get(mutation.getRow());
            if (put == null) {
                put = opened(mediator().nativePut(mutation.getRow()));
                puts.put(mutation.getRow(), put);
            }
            stamp(mutation, put.ts());
        }
    }

    private void noteWriteBack(Mutation mutation) {
        if (mediator != null) {
            mediator.writeBack(mutation.getRow(), Layout.cells(mutation).iterator().next().getTimestamp());
        }
    }

    @Override
    public void preWALAppend(ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit) {
        LogOfThread.ask();
    }

    /** HBase calls this whether the batch can be read now or has failed. */
    @Override
    public void postBatchMutateIndispensably(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch, boolean success) {
        Map<byte[], StampedPut<byte[], IOException>> puts = stamped.remove(batch);
        if (puts != null) {
            storePuts(context.getEnvironment().getRegion(), puts.values(), success ? null : firstStamped(batch));
        }
    }

    private static Mutation firstStamped(MiniBatchOperationInProgress<Mutation> batch) {
        int first = 0;
        while (MediatorRequest.isWriteBack(batch.getOperation(first))) {
            first++;
        }
        return batch.getOperation(first);
    }

    /**
     * StorePut. Guard: what failed in the log may appear when the region is opened from it, so it stays in flight until the region is closed: a
     * transaction that is checked meanwhile must not find that it is not there.
     *
     * @param failed one of the writes; null if they have not failed
     */
    private void storePuts(Region region, Collection<StampedPut<byte[], IOException>> puts, Mutation failed) {
        if (failed != null && LogOfThread.leavesOpen(region, failed)) {
            LOG.warn("HBase's log has failed with puts in {}, among them one of row {}. Transactions can use their rows once the region is opened again: if this server"
                    + " goes on, restart it.", region.getRegionInfo().getRegionNameAsString(), Bytes.toStringBinary(failed.getRow()));
        } else {
            puts.forEach(mediator::storePut);
        }
    }

    /** HBase's client tries again, where the region is now. */
    private static <T> T opened(T put) throws NotServingRegionException {
        if (put == null) {
            throw new NotServingRegionException("The region was closed while a put waited for the status oracle.");
        }
        return put;
    }

    /** HBase has put the time of day there. */
    private static void stamp(Mutation mutation, long ts) throws IOException {
        for (Cell cell : Layout.cells(mutation)) {
            PrivateCellUtil.setTimestamp(cell, ts);
        }
    }

    // ---- what is no put

    @Override
    public Result preIncrement(ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit edit)
            throws IOException {
        throw readsFirst("increment");
    }

    @Override
    public Result preAppend(ObserverContext<RegionCoprocessorEnvironment> context, Append append, WALEdit edit)
            throws IOException {
        throw readsFirst("append");
    }

    private static DoNotRetryIOException readsFirst(String what) {
        return new DoNotRetryIOException(REFUSED + "no " + what + ", which reads before it writes and might miss a transaction:"
                + " use a transaction.");
    }

    @Override
    public void preBulkLoadHFile(ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
            throws IOException {
        throw new DoNotRetryIOException(REFUSED + "no bulk load, which brings timestamps of its own: put the rows.");
    }
}
