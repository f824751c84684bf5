package org.fencepost.phoenix;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.transaction.PhoenixTransactionContext;
import org.apache.phoenix.transaction.TransactionFactory;
import org.apache.phoenix.util.EncodedColumnsUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;

/**
 * A transaction as one of Phoenix's connections, threads or region servers has it. A connection's begins and ends transactions. Those of
 * threads that work for it share its transaction and see it at a visibility of their own. On region servers there is only what the client
 * has told, a {@link TransactionState}: it can be read for, and nothing else.
 */
public final class FencepostTransactionContext implements PhoenixTransactionContext {

    /** Of a context that reads what its visibility says at the time. */
    private static final int LIVE = Integer.MIN_VALUE;

    /** Null on region servers. */
    private final FencepostClient client;
    private final boolean subTask;
    /** Null unless a transaction has begun. */
    private SharedTransaction tx;
    /** Whether this context has ended it. What Phoenix has copied from it may go on reading. */
    private boolean ended;
    /** Null but on region servers. */
    private final TransactionState told;
    private PhoenixVisibilityLevel visibility = PhoenixVisibilityLevel.SNAPSHOT;
    private int readLevel = LIVE;
    /** Put since the last begin; 0 for none. */
    private long fence;

    FencepostTransactionContext(FencepostClient client) {
        this(client, null, false, null);
    }

    FencepostTransactionContext(TransactionState told) {
        this(null, null, true, told);
    }

    private FencepostTransactionContext(FencepostClient client, SharedTransaction tx, boolean subTask, TransactionState told) {
        this.client = client;
        this.tx = tx;
        this.subTask = subTask;
        this.told = told;
    }

    static SQLException failed(SQLExceptionCode code, RuntimeException cause) {
        return new SQLExceptionInfo.Builder(code).setMessage(cause.getMessage()).setRootCause(cause).build().buildException();
    }

    private static SQLException failed(RuntimeException cause) {
        return failed(cause instanceof TransactionAbortedException ? SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION : SQLExceptionCode.TRANSACTION_FAILED, cause);
    }

    private void requireClient() throws SQLException {
        if (client == null || subTask) {
            throw new SQLExceptionInfo.Builder(SQLExceptionCode.NULL_TRANSACTION_CONTEXT).build().buildException();
        }
    }

    /** What was begun here before and not ended is given up. */
    @Override
    public void begin() throws SQLException {
        requireClient();
        abandon();
        try {
            tx = new SharedTransaction(client, fence);
        } catch (TransactionException e) {
            throw failed(e);
        } finally {
            fence = 0;
        }
    }

    /** Does nothing where no transaction runs, and for those who work for another context: that one ends it. */
    @Override
    public void commit() throws SQLException {
        if (!isTransactionRunning() || subTask) {
            return;
        }
        ended = true;
        try {
            tx.commit();
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** The same. */
    @Override
    public void abort() throws SQLException {
        if (tx == null || subTask) {
            return;
        }
        ended = true;
        try {
            tx.rollBack();
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    @Override
    public void checkpoint(boolean hasUncommittedData) throws SQLException {
        try {
            tx.checkpoint();
        } catch (RuntimeException e) {
            throw failed(e);
        }
        visibility = PhoenixVisibilityLevel.SNAPSHOT_EXCLUDE_CURRENT;
    }

    /** Phoenix begins a transaction right after, which is above the fence and populates the index that the fence is for. */
    @Override
    public void commitDDLFence(PTable table) throws SQLException {
        requireClient();
        try {
            abandon();
            fence = client.transactions().fence(TableName.valueOf(table.getPhysicalName().getBytes()));
        } catch (RuntimeException e) {
            throw new SQLExceptionInfo.Builder(SQLExceptionCode.TX_UNABLE_TO_GET_WRITE_FENCE).setSchemaName(table.getSchemaName().getString())
                    .setTableName(table.getTableName().getString()).setMessage(e.getMessage()).setRootCause(e).build().buildException();
        }
    }

    /** A transaction names its tables at commit. */
    @Override
    public void markDMLFence(PTable table) {
    }

    /** Those who work for this context write in its own transaction. Throws IllegalArgumentException for another one. */
    @Override
    public void join(PhoenixTransactionContext other) {
        if (other instanceof FencepostTransactionContext joined && joined.tx != null && joined.tx != tx) {
            throw new IllegalArgumentException("Writes of transaction " + joined.tx.startTimestamp() + " cannot be those of another one.");
        }
    }

    /**
     * Where none runs, Phoenix reads what is stored, committed or not. So for those who work for another context one always does, and if it is
     * over, they are told so.
     */
    @Override
    public boolean isTransactionRunning() {
        return told != null || tx != null && (subTask || !ended && !tx.isAborted());
    }

    private void abandon() {
        if (isTransactionRunning()) {
            tx.rollBack();
        }
        reset();
    }

    @Override
    public void reset() {
        tx = null;
        ended = false;
        visibility = PhoenixVisibilityLevel.SNAPSHOT;
    }

    @Override
    public long getTransactionId() {
        return told != null ? told.startTs() : tx.startTimestamp();
    }

    @Override
    public long getReadPointer() {
        return getTransactionId();
    }

    @Override
    public long getWritePointer() {
        return told != null ? told.writePoint() : tx.writePoint();
    }

    @Override
    public void setVisibilityLevel(PhoenixVisibilityLevel level) {
        visibility = level;
        readLevel = LIVE;
    }

    @Override
    public PhoenixVisibilityLevel getVisibilityLevel() {
        return visibility;
    }

    /** A {@link TransactionState}, and the provider's code behind it. */
    @Override
    public byte[] encodeTransaction() {
        byte[] state = state(Settings.DEFAULT_SPAN).encode();
        byte[] encoded = Arrays.copyOf(state, state.length + 1);
        encoded[state.length] = getProvider().getCode();
        return encoded;
    }

    /** What a region server is told now. */
    TransactionState state(long span) {
        return told != null ? told : tx.state(visibility, readLevel == LIVE ? tx.readLevel(visibility) : readLevel, span);
    }

    @Override
    public TransactionFactory.Provider getProvider() {
        return TransactionFactory.Provider.OMID;
    }

    /** @param isSubTask goes on reading what is read here now, whatever is written meanwhile, and ends nothing */
    @Override
    public PhoenixTransactionContext newTransactionContext(PhoenixTransactionContext context, boolean isSubTask) {
        FencepostTransactionContext from = (FencepostTransactionContext) context;
        FencepostTransactionContext made = new FencepostTransactionContext(from.client, from.tx, isSubTask || from.subTask, from.told);
        made.ended = from.ended;
        made.visibility = from.visibility;
        made.readLevel = from.readLevel;
        if (isSubTask && made.readLevel == LIVE && made.tx != null) {
            made.readLevel = made.tx.readLevel(made.visibility);
        }
        return made;
    }

    @Override
    public Table getTransactionalTable(Table table, boolean isConflictFree) {
        return new FencepostTransactionTable(this, client, tx, table, isConflictFree, false, List.of());
    }

    /** @param isIndex whether it is written by itself, to populate it: then what is put is committed from the beginning */
    @Override
    public Table getTransactionalTableWriter(PhoenixConnection connection, PTable table, Table htable, boolean isIndex) {
        return new FencepostTransactionTable(this, client, tx, htable, table.isImmutableRows() || isIndex, isIndex, columns(table, htable.getName()));
    }

    /** Those of the table's indexes that are stored under this name, each with a cell. Phoenix hands out the table, not the index, to those who maintain that. */
    private static List<Cell> columns(PTable table, TableName stored) {
        List<Cell> columns = new ArrayList<>();
        for (PTable index : table.getIndexes()) {
            if (TableName.valueOf(index.getPhysicalName().getBytes()).equals(stored)) {
                columns.add(cell(SchemaUtil.getEmptyColumnFamily(index), EncodedColumnsUtil.getEmptyKeyValueInfo(index).getFirst()));
                index.getColumns().stream().filter(column -> !SchemaUtil.isPKColumn(column))
                        .forEach(column -> columns.add(cell(column.getFamilyName().getBytes(), column.getColumnQualifierBytes())));
            }
        }
        return columns;
    }

    private static Cell cell(byte[] family, byte[] qualifier) {
        return new KeyValue(HConstants.EMPTY_START_ROW, family, qualifier);
    }
}
