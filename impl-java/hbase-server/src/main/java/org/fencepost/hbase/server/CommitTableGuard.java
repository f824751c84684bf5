package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.fencepost.hbase.layout.Binding;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.CommitTableRequest;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.server.rows.AllCells;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.ManagerInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coprocessor of the commit table: performs its check-and-mutates, keeps its watermark, and binds it to a transaction manager.
 *
 * <p>Every check-and-mutate of the region is taken over here, under HBase's exclusive lock of the row: read the entry, test
 * the watermark, store, and answer the previous entry in the same round trip. The request's own condition is one that
 * never holds ({@link CommitTableRequest}), so without this coprocessor nothing would ever be stored. A reader that meets a pending transaction
 * invalidates it by a get with an attribute: it need not have the right to write here, where it could commit what is not its own.
 *
 * <p>The watermark must not pass a commit entry that has been checked and is not stored yet. So check and store happen
 * under the shared half of a lock, and raising takes the other half: once the watermark stands, each entry below it is
 * either readable or refused. It is stored in a row of the region before it takes effect, and read again from there
 * when the region is opened anywhere else. It ends all commits below, so only who may administer the table raises it, and only as far as
 * the transaction manager allows.
 *
 * <p>Natively nothing can be written but the removal of an entry.
 */
public class CommitTableGuard extends DescriptionGuard {

    private static final Logger LOG = LoggerFactory.getLogger(CommitTableGuard.class);

    /** Begins what a client reads when it asks for what a commit table does not do. */
    static final String REFUSED = "A commit table takes ";
    private static final long UNKNOWN = -1;

    private final RegionObserver guarded = Guarded.of(this);
    private final ReadWriteLock raising = new ReentrantReadWriteLock();
    /** Of this region; UNKNOWN until the first request. Written under the exclusive half of the lock. */
    private volatile long watermark = UNKNOWN;
    /** Of the region's shards; null until the first request that needs it. Written under this object's lock. */
    private volatile Binding binding;
    /** Whether this thread writes for the guard itself. */
    private final ThreadLocal<Boolean> storing = ThreadLocal.withInitial(() -> false);
    private RegionCoprocessorEnvironment environment;
    /** Null where none is configured: {@link #problem} says so. */
    private ServerManager manager;
    private String problem;

    @Override
    void check(TableDescriptor table) {
        TableAttributes.requireCommitTable(table);
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(guarded);
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment started) {
        super.start(started);
        environment = (RegionCoprocessorEnvironment) started;
        try {
            manager = ServerManager.open(environment, environment.getRegionInfo().getTable());
        } catch (RuntimeException e) {
            problem = e.getMessage(); // HBase would abort the server if this were thrown
            LOG.warn("Commit table {} is not bound to a transaction manager here: {}", environment.getRegionInfo().getTable(), problem);
        }
    }

    @Override
    public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment stopped) {
        if (manager != null) {
            manager.close();
        }
    }

    private TableName table() {
        return environment.getRegionInfo().getTable();
    }

    // ---- requests

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        Region region = context.getEnvironment().getRegion();
        byte[] row = requireRow(request.getRow());
        long entry = entryOf(request);
        context.bypass();
        long previous;
        if (!CommitRows.isWatermarkRow(row)) {
            if (entry == Timestamps.INVALIDATED) {
                requireBegun(row, true);
            }
            previous = putEntry(region, row, entry);
        } else if (entry == CommitTableRequest.BIND) {
            previous = bindAnew(region, row);
        } else {
            previous = raiseTo(region, row, entry == CommitTableRequest.RESET ? entry : requireRaise(entry));
        }
        return new CheckAndMutateResult(previous == Timestamps.NIL, Result.create(List.of(CommitTableRequest.answer(row, previous))));
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) throws IOException {
        Region region = context.getEnvironment().getRegion();
        if (described(context, get, result)) {
            return;
        }
        if (CommitTableRequest.isInvalidation(get)) {
            byte[] row = requireRow(get.getRow());
            requireBegun(row, false);
            long previous = AsServer.run(() -> putEntry(region, row, Timestamps.INVALIDATED));
            result.add(CommitTableRequest.answer(row, previous));
            context.bypass();
        } else if (CommitTableRequest.asksForBinding(get) && manager != null) {
            byte[] row = requireRow(get.getRow());
            AsServer.run(() -> bound(region, row));
        }
        AllCells.in(get); // an entry that the caller may not read would look absent, and its transaction pending
    }

    private static byte[] requireRow(byte[] row) throws DoNotRetryIOException {
        if (!CommitRows.isRow(row)) {
            throw new DoNotRetryIOException(REFUSED + "rows of a shard and a timestamp, 9 bytes, and not " + Bytes.toStringBinary(row) + ".");
        }
        return row;
    }

    private static long entryOf(CheckAndMutate request) throws IOException {
        List<Cell> cells = request.getAction() instanceof Put put ? put.getFamilyCellMap().get(CommitRows.FAMILY) : null;
        if (cells == null || cells.size() != 1 || cells.get(0).getValueLength() != Long.BYTES
                || ((Put) request.getAction()).size() != 1) {
            throw new DoNotRetryIOException(REFUSED + "one entry of 8 bytes at a time and nothing else.");
        }
        return Bytes.toLong(CellUtil.cloneValue(cells.get(0)));
    }

    /** A reader has met what it invalidates, so that has begun. Nobody takes the right to commit from those that are to come. */
    private void requireBegun(byte[] row, boolean mayWrite) throws IOException {
        long startTs = CommitRows.startTs(row);
        if (startTs == 0) {
            throw new DoNotRetryIOException(REFUSED + "no invalidation of a watermark.");
        }
        if (manager != null) {
            ServerClock.requireGiven(manager, startTs, () -> mayWrite);
        }
    }

    // ---- entries

    private long putEntry(Region region, byte[] row, long entry) throws IOException {
        if (entry != Timestamps.INVALIDATED) {
            requireCommitTs(region, row, entry);
        }
        loadWatermark(region);
        return Exclusively.run(region, row, () -> store(region, row, entry));
    }

    private void requireCommitTs(Region region, byte[] row, long commitTs) throws IOException {
        if (commitTs <= CommitRows.startTs(row)) {
            throw new DoNotRetryIOException(REFUSED + "a commit timestamp later than the start, " + CommitRows.startTs(row) + ", and not "
                    + commitTs + ".");
        }
        if (manager != null && commitTs >= bound(region, row).floor()) {
            raiseFloor(region, row, commitTs);
        }
    }

    private long store(Region region, byte[] row, long entry) throws IOException {
        Lock shared = raising.readLock();
        shared.lock();
        try {
            long present = read(region, row);
            if (present != Timestamps.NIL) {
                return present;
            }
            if (CommitRows.startTs(row) < watermark) {
                return entry == Timestamps.INVALIDATED ? Timestamps.INVALIDATED : Timestamps.COLLECTED;
            }
            write(region, row, CommitRows.startTs(row), entry);
            return Timestamps.NIL;
        } finally {
            shared.unlock();
        }
    }

    // ---- the watermark

    private void requireAdministrator() throws AccessDeniedException {
        if (!Rights.on(environment).mayAdminister()) {
            throw new AccessDeniedException(REFUSED + "watermarks and bindings from those alone who may administer it: grant the collector"
                    + " the right 'A' on " + table() + ".");
        }
    }

    /** Guard: what the collector asks for is no more than the transaction manager allows. */
    private long requireRaise(long target) throws IOException {
        requireAdministrator();
        ServerManager asked = requireManager();
        long allowed = asked.whileClientWaits(asked.manager()::collectableBelow);
        if (target < 0 || target > allowed) {
            throw new DoNotRetryIOException(REFUSED + "watermarks up to " + allowed + " now, as its transaction manager says, and not " + target
                    + ".");
        }
        return target;
    }

    private ServerManager requireManager() throws DoNotRetryIOException {
        if (manager == null) {
            throw new DoNotRetryIOException(problem);
        }
        return manager;
    }

    private long raiseTo(Region region, byte[] row, long target) throws IOException {
        if (target == CommitTableRequest.RESET) {
            requireAdministrator();
        } else {
            requireOurs(region, row);
        }
        loadWatermark(region);
        return Exclusively.run(region, row, () -> target == CommitTableRequest.RESET ? reset(region, row) : raise(region, row, target));
    }

    private long raise(Region region, byte[] row, long target) throws IOException {
        Lock exclusive = raising.writeLock();
        exclusive.lock();
        try {
            long previous = read(region, row);
            if (target > previous) {
                writeWatermark(region, row, target);
                watermark = Math.max(watermark, target);
            }
            return previous;
        } finally {
            exclusive.unlock();
        }
    }

    /**
     * A watermark above the manager's next timestamp was raised by mistake, and no transaction can commit before the manager has come that
     * far. Those that have begun stay refused; the ones that begin from now on are not.
     */
    private long reset(Region region, byte[] row) throws IOException {
        Lock exclusive = raising.writeLock();
        exclusive.lock();
        try {
            long previous = read(region, row);
            long next = askManager().next();
            if (previous > next) {
                writeWatermark(region, row, next);
                watermark = highestWatermark(region);
                LOG.warn("The watermark of {} goes back from {} to {}.", region.getRegionInfo().getRegionNameAsString(), previous, next);
            }
            return previous;
        } finally {
            exclusive.unlock();
        }
    }

    private ManagerInfo askManager() throws IOException {
        ServerManager asked = requireManager();
        return asked.whileClientWaits(asked.given()::ask);
    }

    /** Here and not when the region opens: HBase would open it even if this failed. */
    private void loadWatermark(Region region) throws IOException {
        if (watermark != UNKNOWN) {
            return;
        }
        Lock exclusive = raising.writeLock();
        exclusive.lock();
        try {
            if (watermark == UNKNOWN) {
                watermark = highestWatermark(region);
            }
        } finally {
            exclusive.unlock();
        }
    }

    /** A region may hold several shards, if someone merged them, but not a part of one: that part has no watermark. */
    private static long highestWatermark(Region region) throws IOException {
        RegionInfo info = region.getRegionInfo();
        if (info.getStartKey().length > 1) {
            throw new DoNotRetryIOException("Commit table " + info.getTable() + " was split inside a shard:"
                    + " merge region " + info.getEncodedName() + " with the one before it.");
        }
        long highest = 0;
        for (int shard = 0; shard < CommitRows.MAX_SHARDS; shard++) {
            byte[] row = CommitRows.watermarkRow(shard);
            if (info.containsRow(row)) {
                highest = Math.max(highest, read(region, row));
            }
        }
        return highest;
    }

    // ---- the binding

    /** Of the row's shard, which is bound now if it was not. */
    private Binding bound(Region region, byte[] row) throws IOException {
        Binding known = binding;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (binding == null) {
                Binding stored = storedBinding(region, row);
                binding = stored.isBound() ? stored : storeBinding(region, row, askManager());
            }
            return binding;
        }
    }

    /** Guard: before an entry at or above the floor, the manager is asked; it must be ours and have come that far. */
    private void raiseFloor(Region region, byte[] row, long commitTs) throws IOException {
        synchronized (this) {
            if (commitTs < binding.floor()) {
                return;
            }
            ManagerInfo told = requireOurs(region, row);
            if (commitTs >= told.limit()) {
                throw new DoNotRetryIOException(REFUSED + "commit timestamps that its transaction manager has given, and not " + commitTs + ".");
            }
            binding = storeBinding(region, row, told);
        }
    }

    /** What the manager tells, if the shard is its own. */
    private ManagerInfo requireOurs(Region region, byte[] row) throws IOException {
        ManagerInfo told = askManager();
        String objection = bound(region, row).objection(table(), told);
        if (objection != null) {
            throw new DoNotRetryIOException(objection);
        }
        return told;
    }

    /** An operator has started another manager on purpose; it must begin above all that was given. */
    private synchronized long bindAnew(Region region, byte[] row) throws IOException {
        requireAdministrator();
        ManagerInfo told = askManager();
        Binding before = bound(region, row);
        if (told.epoch() < before.floor() && told.tenure() != before.tenure()) {
            throw new DoNotRetryIOException("The transaction manager began at " + told.epoch() + ", and commit table " + table()
                    + " may have timestamps up to " + before.floor() + ": stop it, and start it with --recover-from " + before.floor() + ".");
        }
        binding = storeBinding(region, row, told);
        return before.floor();
    }

    private Binding storedBinding(Region region, byte[] row) throws IOException {
        try {
            return Binding.of(table(), Result.create(region.get(CommitTableRequest.storedBinding(CommitRows.watermarkRowOf(row)), false)));
        } catch (InvalidTableException e) {
            throw new DoNotRetryIOException(e.getMessage());
        }
    }

    private Binding storeBinding(Region region, byte[] row, ManagerInfo told) throws IOException {
        Binding to = Binding.to(told);
        put(region, to.put(CommitRows.watermarkRowOf(row)));
        return to;
    }

    // ---- cells

    private static long read(Region region, byte[] row) throws IOException {
        return CommitRows.entry(region.getRegionInfo().getTable(), stored(region, row));
    }

    private static Result stored(Region region, byte[] row) throws IOException {
        return Result.create(region.get(new Get(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN), false));
    }

    /** With a version of ours: the server's clock, which may differ after a move, must not decide what is newer. */
    private void writeWatermark(Region region, byte[] row, long value) throws IOException {
        Result before = stored(region, row);
        write(region, row, before.isEmpty() ? 1 : before.rawCells()[0].getTimestamp() + 1, value);
    }

    private void write(Region region, byte[] row, long version, long value) throws IOException {
        put(region, new Put(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, version, Bytes.toBytes(value)));
    }

    private void put(Region region, Put put) throws IOException {
        storing.set(true);
        try {
            region.put(put);
        } finally {
            storing.remove();
        }
    }

    // ---- what comes natively

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        for (int i = 0; i < batch.size() && !storing.get(); i++) {
            if (!isRemoval(batch.getOperation(i))) {
                throw new DoNotRetryIOException(REFUSED + "no native writes but the removal of an entry: use transactions.");
            }
        }
    }

    private static boolean isRemoval(Mutation mutation) {
        if (!(mutation instanceof Delete) || !CommitRows.isRow(mutation.getRow()) || CommitRows.isWatermarkRow(mutation.getRow())
                || mutation.isEmpty()) {
            return false;
        }
        for (Cell cell : Layout.cells(mutation)) {
            if (cell.getType() != Cell.Type.Delete || !CellUtil.matchingColumn(cell, CommitRows.FAMILY, CommitRows.COLUMN)
                    || cell.getTimestamp() != CommitRows.startTs(mutation.getRow())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void preBulkLoadHFile(ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
            throws IOException {
        throw new DoNotRetryIOException(REFUSED + "no bulk load.");
    }
}
