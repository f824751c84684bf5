package org.fencepost.hbase.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;

/**
 * What became of a transaction of Omid, by its start timestamp alone, for an operator.
 *
 * <p>A commit entry says it, as long as there is one. It goes when every record of the transaction has its commit cell, so without
 * one the records are looked for, by their version, which is the start timestamp. As for readers, the order counts: first the
 * watermark, then the entry, then the records. A transaction whose entry is absent, or an invalidation, and whose records have no commit
 * cell had not committed when the entry was read; an invalidation alone proves nothing, because readers write some behind
 * transactions that have committed and removed their entries. Nor does it keep a transaction from committing in one phase, of which nothing
 * is to be seen before: where no record is found, that may still happen. Records of a committed transaction are collected below the watermark only.
 */
public final class Inquiry {

    /** UNDER_WAY: may still commit; UNKNOWN: nothing is left that tells. */
    public enum State { COMMITTED, ABORTED, UNDER_WAY, UNKNOWN }

    /**
     * @param commitTs its commit timestamp; NIL unless it has committed
     * @param records  how many columns have a record of it
     */
    public record Answer(State state, long commitTs, long records) {
    }

    /** @param batchMayCome in one of the tables transactions commit in one phase: a record without commit cell tells that it did not */
    private record Found(long number, long commitTs, boolean batchMayCome) {
    }

    private final TransactionClient client;
    private final TransactionManager manager;

    /** @param client of the commit table that the transaction has used */
    public Inquiry(TransactionClient client, TransactionManager manager) {
        this.client = client;
        this.manager = manager;
    }

    /**
     * All transactional tables of the client's commit table, as far as the user may see them.
     *
     * @throws StoreException if HBase does not answer
     */
    public List<TableName> tables() {
        TableName commits = Internals.settings(client).commitTable();
        try (Admin admin = Internals.connection(client).getAdmin()) {
            List<TableName> tables = new ArrayList<>();
            for (TableDescriptor table : admin.listTableDescriptors()) {
                if (commits.equals(TableAttributes.commitTableOf(table))) {
                    tables.add(table.getTableName());
                }
            }
            return tables;
        } catch (IOException e) {
            throw Failures.store("list the tables", commits, e);
        }
    }

    /**
     * Finds it out. Looks through all files of the tables that have versions about as old, which can take long.
     *
     * @param tables     where it may have written
     * @param invalidate whether it is to be kept from committing if it has not, as readers do who meet it
     * @throws IllegalArgumentException    with one sentence, if no transaction has begun with this timestamp
     * @throws StoreException              if HBase does not answer
     * @throws TransactionManagerException if the transaction manager does not answer
     */
    public Answer ask(long startTs, List<TableName> tables, boolean invalidate) {
        long next = manager.info().next();
        if (startTs < 1 || startTs >= next) {
            throw new IllegalArgumentException("No transaction has begun with timestamp " + startTs + ": they are positive, and the next one is "
                    + next + ".");
        }
        if (Internals.commitTable(client) == null) {
            throw new IllegalArgumentException("Where commit entries are with leaders, a start timestamp does not tell where that of transaction "
                    + startTs + " is: read what it has written, which decides it.");
        }
        long watermark = Internals.commitTable(client).watermark();
        long entry = Internals.commitTable(client).get(startTs);
        if (entry == Timestamps.NIL && invalidate) {
            entry = Internals.commitTable(client).checkAndMutate(startTs, Timestamps.INVALIDATED);
            entry = Timestamps.isTimestamp(entry) ? entry : Timestamps.INVALIDATED;
        }
        if (Timestamps.isTimestamp(entry)) {
            return new Answer(State.COMMITTED, entry, 0);
        }
        Found records = records(startTs, tables);
        if (records.commitTs() != Timestamps.NIL) {
            return new Answer(State.COMMITTED, records.commitTs(), records.number());
        }
        boolean canCommit = startTs >= watermark && (entry == Timestamps.NIL || records.number() == 0 && records.batchMayCome());
        boolean collected = startTs < watermark && records.number() == 0;
        return new Answer(canCommit ? State.UNDER_WAY : collected ? State.UNKNOWN : State.ABORTED, Timestamps.NIL, records.number());
    }

    private Found records(long startTs, List<TableName> tables) {
        long number = 0;
        long commitTs = Timestamps.NIL;
        for (TableName name : tables) {
            try (Table table = Internals.connection(client).getTable(name); ResultScanner rows = table.getScanner(recordsOf(name, startTs))) {
                for (Result row = rows.next(); row != null; row = rows.next()) {
                    for (Cell cell : row.rawCells()) {
                        if (Layout.isValueCell(cell)) {
                            number++;
                        } else if (Layout.isCommitCell(cell) && commitTs == Timestamps.NIL) {
                            commitTs = commitTs(name, cell);
                        }
                    }
                }
            } catch (IOException e) {
                throw Failures.store("look for records", name, e);
            }
        }
        return new Found(number, commitTs, tables.stream().anyMatch(name -> Internals.rows(client).takesBatches(name)));
    }

    /** What a commit cell holds: the scan brings keys alone. NIL if the record has been collected since. */
    private long commitTs(TableName table, Cell commitCell) {
        Record<byte[]> record = Internals.store(client).reread(new CellKey(table, CellUtil.cloneRow(commitCell), CellUtil.cloneFamily(commitCell),
                Layout.userQualifier(commitCell)), commitCell.getTimestamp());
        return record == null ? Timestamps.NIL : record.commit();
    }

    private Scan recordsOf(TableName table, long startTs) throws IOException {
        Versions versions = Internals.rows(client).versionsOf(table);
        return FastRequest.leftovers(versions.span(), startTs + versions.levels()).setTimeRange(startTs, startTs + versions.levels());
    }
}
