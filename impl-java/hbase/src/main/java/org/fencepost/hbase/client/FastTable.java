package org.fencepost.hbase.client;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;

/**
 * An HBase table as single-key transactions see it: each call is a transaction of its own on one column of one row, and
 * one request to HBase (two for {@link #readModifyWrite}), none to the transaction manager. Thread-safe.
 *
 * <p>Together with regular transactions on the same table these are snapshot isolated, but for one thing (VLDB'18 section
 * 2.2): a call may take effect in the past. A read may miss what a regular transaction has committed just before. Updates
 * of the same column keep their order.
 *
 * <p>Writes throw
 *
 * <ul>
 * <li>{@link FastPathAbortedException} if nothing was written, with the cause. Trying again may help; a table made by
 *     {@link #orElseRegular} does it by regular transactions;
 * <li>{@link FastOutcomeUnknownException} if the answer was lost. The write is never sent twice;
 * <li>{@link StoreException} if HBase did not take the request. Reads throw it if HBase does not answer;
 * <li>{@link IllegalArgumentException} for requests that are not one column, or make no sense in a transaction.
 * </ul>
 */
public final class FastTable {

    private final TransactionClient client;
    private final TransactionalTable regular;
    private final Versions versions;
    /** Regular transactions tried after a refusal; 0: none. */
    private final int attempts;

    FastTable(TransactionClient client, TransactionalTable regular, Versions versions) {
        this(client, regular, versions, 0);
    }

    private FastTable(TransactionClient client, TransactionalTable regular, Versions versions, int attempts) {
        this.client = client;
        this.regular = regular;
        this.versions = versions;
        this.attempts = attempts;
    }

    /**
     * The same table, where a write that the fast path refuses is run as a regular transaction. It may then also throw
     * {@link TransactionAbortedException}, and all else that {@link Transaction#commit} throws.
     *
     * @param maxAttempts how many regular transactions are tried; at least 1
     */
    public FastTable orElseRegular(int maxAttempts) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("At least one regular transaction must be tried, not " + maxAttempts + ".");
        }
        return new FastTable(client, regular, versions, maxAttempts);
    }

    public TableName name() {
        return regular.name();
    }

    /** The column as it was committed last; empty if it is not there. (brc) */
    public Result read(Get get) {
        CellKey key = regular.requests().fastKey(get);
        return result(key, client.fastPath().brc(key, versions));
    }

    /** Puts the column, whatever it was. Returns the commit timestamp. (bwc) */
    public long write(Put put) {
        return writeOnly(put);
    }

    /** Deletes the column, all versions of it. Returns the commit timestamp. (bwc) */
    public long write(Delete delete) {
        return writeOnly(delete);
    }

    private long writeOnly(Mutation mutation) {
        CellKey key = regular.requests().fastKey(mutation);
        try {
            return client.fastPath().bwc(key, versions, write(mutation));
        } catch (FastPathAbortedException e) {
            return orElse(e, tx -> write(tx, mutation));
        }
    }

    /**
     * Reads the column and writes it, if nobody else has written it in between. (br, wc)
     *
     * @param get    the column
     * @param change given what was read, possibly empty, returns a Put or Delete of the same column, or null to leave it as it
     *               is. Called again if a regular transaction is tried
     * @return the commit timestamp; 0 if nothing was written
     */
    public long readModifyWrite(Get get, Function<Result, ? extends Mutation> change) {
        CellKey key = regular.requests().fastKey(get);
        Record<byte[]> last = client.fastPath().br(key, versions);
        Mutation mutation = change.apply(result(key, last));
        if (mutation == null) {
            return 0;
        }
        requireSame(key, regular.requests().fastKey(mutation));
        try {
            return client.fastPath().wc(key, versions, last, write(mutation));
        } catch (FastPathAbortedException e) {
            return orElse(e, tx -> modify(tx, key, get, change));
        }
    }

    private static void requireSame(CellKey read, CellKey written) {
        if (!read.equals(written)) {
            throw new IllegalArgumentException("A fast-path transaction writes the column that it has read, " + read + ", not "
                    + written + ".");
        }
    }

    // ---- as regular transactions

    private long orElse(FastPathAbortedException refused, ToLongFunction<Transaction> body) {
        if (attempts == 0) {
            throw refused;
        }
        for (int attempt = 1; true; attempt++) {
            try (Transaction tx = client.begin()) {
                return body.applyAsLong(tx);
            } catch (TransactionAbortedException e) {
                if (attempt == attempts) {
                    throw e;
                }
            }
        }
    }

    private long write(Transaction tx, Mutation mutation) {
        if (mutation instanceof Put put) {
            regular.put(tx, put);
        } else {
            regular.delete(tx, (Delete) mutation);
        }
        tx.commit();
        return tx.commitTimestamp();
    }

    private long modify(Transaction tx, CellKey key, Get get, Function<Result, ? extends Mutation> change) {
        Mutation mutation = change.apply(regular.get(tx, get));
        if (mutation == null) {
            tx.rollback();
            return 0;
        }
        requireSame(key, regular.requests().fastKey(mutation));
        return write(tx, mutation);
    }

    // ---- cells

    private static Write<byte[]> write(Mutation mutation) {
        Cell cell = Layout.cells(mutation).iterator().next();
        return mutation instanceof Put ? Write.of(CellUtil.cloneValue(cell)) : Write.tombstone();
    }

    private static Result result(CellKey key, Record<byte[]> found) {
        return found == null || found.isTombstone() ? Result.EMPTY_RESULT
                : Result.create(List.of(RowReader.cell(key, found.value())));
    }
}
