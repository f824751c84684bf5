package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Action;
import org.fencepost.protocol.LocalVersionClock;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Tracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coprocessor of tables with a fast path (VLDB'18 section 4, specs/FastPath.tla), in place of the one for regular
 * transactions alone. One instance for each region; the regions of a server share a clock ({@link ServerClock}).
 *
 * <p>A fast-path write arrives as a check-and-mutate and is carried out under HBase's exclusive lock of the row: look at the newest
 * record, draw a version, store a record that is committed at it (PutVersion, StoreVersion). Regular puts and updates of
 * commit cells hold the row's shared lock, so each sees the other. Gets and scans hold no lock: they lift the clock
 * (BumpClock), wait for older fast-path writes of their rows in flight (AwaitFastWrites), and look only then. Both
 * hooks come before HBase fixes what the read can see; so a scan need not do it again until it opens the next region.
 *
 * <p>The region accepts fast-path writes once the transaction manager has told its server the time since it opened the
 * region (BootstrapClock). Everything else goes on without.
 */
public class FastPathObserver extends TransactionalRegionObserver {

    private static final Logger LOG = LoggerFactory.getLogger(FastPathObserver.class);

    /** Begins what a client reads when a put is refused. */
    static final String NEWER_COMMIT = "fencepost: a newer version is committed";
    /** Begins what a client reads when there is no fast path to be had. */
    static final String NO_FAST_PATH = "No fast path here: ";

    /** Of all regions in this JVM; for tests. */
    static volatile Tracer tracer = Tracer.OFF;

    /** Null where the table's description or the configuration is no good: {@link #problem} says why. */
    private ServerClock server;
    private LocalVersionClock clock;
    private String problem;
    private long waitMillis;
    private final FastWrites inFlight = new FastWrites();
    private final LastVersions lastVersions = new LastVersions();
    /** Open once the transaction manager has answered since the region was opened. */
    private final CountDownLatch bootstrapped = new CountDownLatch(1);
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean closed;

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
        TableDescriptor table = region.getRegion().getTableDescriptor();
        Configuration conf = new Configuration(false);
        HBaseConfiguration.merge(conf, region.getConfiguration()); // which the constructor that copies would see as empty
        table.getValues().forEach((key, value) -> conf.set(Bytes.toString(key.get()), Bytes.toString(value.get())));
        waitMillis = conf.getLong(Settings.FAST_WAIT, 2_000);
        try {
            super.start(environment);
            server = ServerClock.open(region.getServerName(), Tables.commitTableOf(table), Tables.fastSpanOf(table), conf);
            clock = server.clock();
        } catch (RuntimeException e) {
            problem = e.getMessage(); // HBase would abort the server if this were thrown
            LOG.error("No fast path in {}: {}", region.getRegionInfo().getEncodedName(), problem);
        }
    }

    @Override
    public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        closed = true;
        if (server != null) {
            server.close();
        }
    }

    // ---- the time

    /** Later than whatever a server did that had the region before: HBase has fenced it by now. */
    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
        bootstrapClock();
    }

    /** Guard: see specs/FastPath.tla, NeedsTime. */
    private boolean needsTime() {
        return !closed && (!knowsTheTime() || !clock.sequenceLeft());
    }

    private boolean knowsTheTime() {
        return bootstrapped.getCount() == 0;
    }

    private void bootstrapClock() {
        if (server != null && asking.compareAndSet(false, true)) {
            server.bootstrapClock(this::stillNeedsTime, this::toldTheTime);
        }
    }

    private boolean stillNeedsTime() {
        boolean needed = needsTime();
        if (!needed) {
            asking.set(false);
        }
        return needed;
    }

    private void toldTheTime() {
        asking.set(false);
        bootstrapped.countDown();
        if (tracer.on()) {
            tracer.event(Action.BootstrapClock, "clock", clock.now());
        }
    }

    // ---- regular reads

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        requireSameSpan(FastRequest.span(get));
        long snapshot = FastRequest.snapshot(get);
        if (snapshot != Timestamps.NIL) {
            bumpClock(snapshot);
            awaitFastWrites(get.getRow(), snapshot);
        }
        super.preGetOp(context, get, result);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        requireSameSpan(FastRequest.span(scan));
        long snapshot = FastRequest.snapshot(scan);
        if (snapshot != Timestamps.NIL) {
            bumpClock(snapshot);
            awaitFastWrites(scan, snapshot);
        }
    }

    /** Of requests that tell no span, nothing is asked. */
    private void requireSameSpan(long ofClient) throws DoNotRetryIOException {
        if (ofClient != Timestamps.NIL && ofClient != span()) {
            throw new DoNotRetryIOException(NO_FAST_PATH + "the client knows one of span " + ofClient
                    + ", the region server one of " + span() + ": open the table again.");
        }
    }

    /** Guard: so that fast-path writes which the read does not see draw later versions. */
    private void bumpClock(long snapshot) throws IOException {
        lift(snapshot);
        if (tracer.on()) {
            tracer.event(Action.BumpClock, "txn", snapshot);
        }
    }

    private void awaitFastWrites(byte[] row, long snapshot) throws IOException {
        traceWait(snapshot, inFlight.await(row, snapshot));
    }

    private void awaitFastWrites(Scan scan, long snapshot) throws IOException {
        boolean up = !scan.isReversed();
        traceWait(snapshot, inFlight.await(up ? scan.getStartRow() : scan.getStopRow(),
                up ? scan.getStopRow() : scan.getStartRow(), snapshot));
    }

    private static void traceWait(long snapshot, boolean waited) {
        if (waited && tracer.on()) {
            tracer.event(Action.AwaitFastWrites, "txn", snapshot);
        }
    }

    /** Where there is no clock, there are no fast-path writes either, until the region is opened again. */
    private void lift(long ts) throws IOException {
        try {
            if (clock != null) {
                clock.bump(ts);
            }
        } catch (IllegalArgumentException e) {
            throw new DoNotRetryIOException(e.getMessage());
        }
    }

    private void requireWorking() throws DoNotRetryIOException {
        if (clock == null) {
            throw new DoNotRetryIOException(NO_FAST_PATH + problem);
        }
    }

    // ---- fast-path reads

    /** HBase itself has looked for the newest record. Nearly always that is the one, and it goes out as it was found. */
    @Override
    public void postGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        if (FastRequest.isRead(get)) {
            List<Cell> last = LastRecord.of(context.getEnvironment().getRegion(), result, span()).cells();
            result.clear();
            result.addAll(last);
        }
    }

    // ---- regular puts and commit cells, under the row's shared lock

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (FastRequest.isRecord(batch.getOperation(i))) {
                continue;
            }
            lastVersions.forget(batch.getOperation(i).getRow());
            if (batch.getOperation(i) instanceof Put put) {
                requireTimestamp(put);
                liftToCommits(put);
                if (!noNewerCommit(context.getEnvironment().getRegion(), put)) {
                    batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.SANITY_CHECK_FAILURE,
                            NEWER_COMMIT + " in row " + Bytes.toStringBinary(put.getRow())));
                }
            }
        }
    }

    /** Guard: whoever writes a commit cell lifts the clock first, so that the next fast-path write comes after the commit. */
    private void liftToCommits(Put put) throws IOException {
        for (Cell cell : Requests.cells(put)) {
            if (Layout.isCommitCell(cell)) {
                lift(Layout.commitTs(cell));
            }
        }
    }

    /** The same for commit cells that a compaction writes, past all locks but before anybody can see them. */
    @Override
    void liftBeforeHealing(long commitTs) throws IOException {
        lift(commitTs);
    }

    /** A version that is none of the transaction manager's would count as committed. */
    private void requireTimestamp(Put put) throws DoNotRetryIOException {
        for (Cell cell : Requests.cells(put)) {
            if (Layout.isFast(cell.getTimestamp(), span())) {
                throw new DoNotRetryIOException(NO_FAST_PATH + "version " + cell.getTimestamp() + " of a transaction is no multiple of"
                        + " the span " + span() + ": start the transaction manager with a leap of " + span() + ".");
            }
        }
    }

    /**
     * Guard (VLDB'18 Alg. 4, prePut): a put gives up where a newer version is committed. Fast-path versions and commit cells
     * tell it: a commit cell whose record is gone is older than any transaction that still puts.
     */
    private boolean noNewerCommit(Region region, Put put) throws IOException {
        Get newer = null;
        for (Cell cell : Requests.cells(put)) {
            if (!Layout.isCommitCell(cell)) {
                newer = newer != null ? newer
                        : new Get(put.getRow()).setTimeRange(cell.getTimestamp(), Long.MAX_VALUE).readAllVersions();
                byte[] family = CellUtil.cloneFamily(cell);
                byte[] qualifier = CellUtil.cloneQualifier(cell);
                newer.addColumn(family, qualifier).addColumn(family, Layout.commitQualifier(qualifier));
            }
        }
        return newer == null || region.get(newer, false).stream()
                .noneMatch(cell -> Layout.isCommitCell(cell) || Layout.isFast(cell.getTimestamp(), span()));
    }

    // ---- fast-path writes

    /** In place of HBase's own check-and-mutate. Without the row's lock, a write may wait for the transaction manager. */
    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        FastRequest.Terms terms = FastRequest.terms(request);
        if (terms == null) {
            return result;
        }
        requireWorking();
        requireSameSpan(terms.span());
        if (!knowsTheTime()) {
            bootstrapClock();
            awaitTime();
        }
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        Cell value = valueCell(request);
        return Exclusively.run(region, request.getRow(), () -> putVersion(region, request.getRow(), value, terms.last()));
    }

    private void awaitTime() throws IOException {
        try {
            bootstrapped.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        }
    }

    private static Cell valueCell(CheckAndMutate request) throws IOException {
        List<Cell> cells = new ArrayList<>(1);
        Requests.cells((Mutation) request.getAction()).forEach(cells::add);
        if (cells.size() != 1 || Layout.isCommitCell(cells.get(0))) {
            throw new DoNotRetryIOException(NO_FAST_PATH + "a fast-path write is one column.");
        }
        return cells.get(0);
    }

    /** Under the row's exclusive lock: looks, and draws a version, or gives up.  VLDB'18 Alg. 4, putVersion */
    private CheckAndMutateResult putVersion(Region region, byte[] row, Cell value, long expected) throws IOException {
        byte[] family = CellUtil.cloneFamily(value);
        byte[] qualifier = CellUtil.cloneQualifier(value);
        if (!knowsTheTime()) {
            return FastRequest.refused(row, FastAbortCause.CLOCK_NOT_BOOTSTRAPPED);
        }
        long known = lastVersions.get(row, family, qualifier);
        LastRecord last = known != Timestamps.NIL ? LastRecord.fast(known)
                : LastRecord.of(region, new Get(row).addColumn(family, qualifier), span());
        if (!last.noNewerTentative()) {
            return FastRequest.refused(row, FastAbortCause.TENTATIVE_VERSION);
        }
        if (!isSame(expected, last.commitTs())) {
            return FastRequest.refused(row, FastAbortCause.VERSION_MOVED);
        }
        FastWrites.InFlight write = inFlight.enter(row);
        try {
            long version = clock.next();
            if (version == LocalVersionClock.EXHAUSTED) {
                bootstrapClock();
                return FastRequest.refused(row, FastAbortCause.SEQUENCE_EXHAUSTED);
            }
            write.drawn(version);
            lastVersions.forget(row); // should the store fail half-way
            storeVersion(region, FastRequest.record(row, family, qualifier, value, version), version);
            if (!Layout.isTombstone(value)) {
                lastVersions.set(row, family, qualifier, version);
            }
            return FastRequest.stored(row, version);
        } finally {
            inFlight.leave(row, write);
        }
    }

    /** Guard (VLDB'18 Alg. 4, line 13): nobody has written the key since br told its commit timestamp. */
    private static boolean isSame(long expected, long last) {
        return expected == FastRequest.ANY || expected == last;
    }

    /** The record, committed at its version; on return everybody can read it.  VLDB'18 Alg. 4, line 15 */
    private static void storeVersion(Region region, Put record, long version) throws IOException {
        region.put(record);
        if (tracer.on()) {
            tracer.event(Action.StoreVersion, "version", version);
        }
    }
}
