package org.fencepost.hbase.client;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.trace.Tracer;

/**
 * A secondary index of one column (VLDB'18 section 6.1, specs/IndexFence.tla): a table that has, for each row with a value in that column, a
 * row whose key is a function of both, and whose column {@code r} holds the key of the row that was indexed. To get one:
 *
 * <ol>
 * <li>Create its table, as {@link #describe} describes it.
 * <li>Have everybody write the column through {@link TransactionClient#indexed}. Whoever still writes it by himself spoils the index.
 * <li>{@code IndexBuilder.build} brings in what was there before. From its end on, {@link IndexedTable#getScanner} answers.
 * </ol>
 *
 * @param table     that is indexed
 * @param family    of the column
 * @param qualifier of the column
 * @param name      of the index's table
 * @param keys      the key in the index
 */
public record Index(TableName table, byte[] family, byte[] qualifier, TableName name, Keys keys) {

    /** The one family of the index's table, and the one column. */
    public static final byte[] FAMILY = {'i'};
    public static final byte[] ROW = {'r'};

    /** Different rows have different keys: begin with the value, in an order of its own, and end with the row. */
    @FunctionalInterface
    public interface Keys {

        /** Never null or empty, and the same whenever it is asked. */
        byte[] key(byte[] row, byte[] value);
    }

    CellKey cell(byte[] row) {
        return new CellKey(table, row, family, qualifier);
    }

    /** For the protocol. */
    SecondaryIndex<CellKey, byte[]> kept(OmidLL<CellKey, byte[]> ll, Tracer tracer) {
        return new SecondaryIndex<>(ll, (row, value) -> {
            byte[] key = keys.key(row.row(), value);
            return key == null || key.length == 0 ? null : new SecondaryIndex.Entry<>(new CellKey(name, key, FAMILY, ROW), row.row());
        }, tracer);
    }

    /** What the index's description says that it is of. */
    private String of() {
        return table + "/" + Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier);
    }

    /**
     * The description of the index's table, with what tells that it is one.
     *
     * @param transactional with {@link #FAMILY}, from {@code Tables.transactional}
     */
    public TableDescriptor describe(TableDescriptor transactional) {
        if (!transactional.hasColumnFamily(FAMILY) || !transactional.getTableName().equals(name)) {
            throw new InvalidTableException("Index " + name + " needs a table of that name with the family " + Bytes.toString(FAMILY) + ".");
        }
        return TableDescriptorBuilder.newBuilder(transactional).setValue(TableAttributes.INDEX_OF, of()).build();
    }

    /** Throws InvalidTableException unless the one can be indexed, and the other is its index. */
    void require(TableDescriptor indexed, TableDescriptor entries) {
        if (!of().equals(entries.getValue(TableAttributes.INDEX_OF))) {
            throw new InvalidTableException("HBase table " + name + " is no index of " + of() + ": create it as Index.describe has it.");
        }
        if (indexed.getValue(TableAttributes.INDEX_OF) != null) {
            throw new InvalidTableException("HBase table " + table + " is an index itself: an index of an index is not supported.");
        }
        if (!indexed.hasColumnFamily(family)) {
            throw new InvalidTableException("HBase table " + table + " has no family " + Bytes.toStringBinary(family) + " to be indexed.");
        }
        requirePlain(indexed);
        requirePlain(entries);
    }

    private static void requirePlain(TableDescriptor each) {
        if (TableAttributes.spanOf(each) != TableAttributes.NO_SPAN) {
            throw new InvalidTableException("HBase table " + each.getTableName() + " has or had the fast path or checkpoints, and indexes are not supported"
                    + " beside these: copy the rows into a new table, in transactions.");
        }
    }

    /** NIL also where that is no timestamp. */
    static long readyFrom(TableDescriptor entries) {
        String ready = entries.getValue(TableAttributes.INDEX_READY);
        try {
            long from = ready == null ? Timestamps.NIL : Long.parseLong(ready);
            return Timestamps.isTimestamp(from) ? from : Timestamps.NIL;
        } catch (NumberFormatException e) {
            return Timestamps.NIL;
        }
    }
}
