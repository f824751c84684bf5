package org.fencepost.hbase.layout;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Tells clients how a table is set up. HBase's master tells that only to those who may create or administer the table; so our
 * coprocessors tell the others who may read in it: a get with an attribute is answered by the description.
 */
public final class Descriptions {

    private static final String ATTRIBUTE = "fencepost.describe";
    private static final byte[] MARK = {};
    private static final byte[] ANSWER = {'d'};
    /** In the first region. */
    private static final byte[] ROW = {0};

    private Descriptions() {
    }

    // ---- on region servers

    /** What to answer in place of HBase if that is what the get asks for, else null. Whoever comes before, AccessController above all, has let it pass. */
    public static Cell answer(Get get, TableDescriptor table) {
        return get.getAttribute(ATTRIBUTE) == null ? null
                : Layout.cell(get.getRow(), ANSWER, ANSWER, 0, Cell.Type.Put, TableDescriptorBuilder.toByteArray(table));
    }

    // ---- clients

    /**
     * A table's description.
     *
     * @param families that the caller may read, if it may not read all of the table
     * @throws InvalidTableException if there is no such table
     */
    public static TableDescriptor read(Connection connection, TableName name, byte[]... families) throws IOException {
        try (Table table = connection.getTable(name)) {
            try {
                return table.getDescriptor();
            } catch (AccessDeniedException e) { // by the master
                TableDescriptor told = ask(table, families);
                if (told == null) {
                    throw new InvalidTableException("HBase table " + name + " does not tell this user how it is set up: grant the right to read"
                            + " it, name the families that may be read, or, if it is not set up for transactions, do that first.", e);
                }
                return told;
            }
        } catch (TableNotFoundException e) {
            throw new InvalidTableException("There is no HBase table " + name + ": create it first.");
        }
    }

    /** Null if nobody answers who knows the question: for a table that is not set up, is disabled, or has no such family. */
    private static TableDescriptor ask(Table table, byte[]... families) throws IOException {
        Get get = new Get(ROW);
        for (byte[] family : families) {
            get.addFamily(family);
        }
        get.setAttribute(ATTRIBUTE, MARK);
        try {
            Result answer = table.get(get);
            return answer.isEmpty() || !CellUtil.matchingColumn(answer.rawCells()[0], ANSWER, ANSWER) ? null
                    : TableDescriptorBuilder.parseFrom(CellUtil.cloneValue(answer.rawCells()[0]));
        } catch (TableNotEnabledException | NoSuchColumnFamilyException | AccessDeniedException e) {
            return null;
        } catch (DeserializationException e) {
            throw new IOException("The description of HBase table " + table.getName() + " cannot be read: " + e.getMessage(), e);
        }
    }
}
