package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.Coprocessors;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a region server makes of an index row that another one puts for a statement of Apache Phoenix (specs/IndexFence.tla, Populate). */
@ExtendWith(Fixture.Extension.class)
class PopulatingPutTest {

    private static final long SPAN = 2_048;
    private static final byte[] ROW = Bytes.toBytes("row");

    @Test
    void isStoredAsTheFencesOwnUntilTheBuildIsOver(Fixture hbase) throws Exception {
        TableName name = TableName.valueOf("populated" + hbase.commits);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(Tables.checkpoints(Tables.transactional(TableDescriptorBuilder.newBuilder(name).setCoprocessor(Coprocessors.DECIDING)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build(), hbase.commits), SPAN));
        }
        try (Table table = hbase.connection.getTable(name)) {
            table.put(put(state(2 * SPAN, hbase.commits)));
            Result stored = table.getScanner(new Scan().setRaw(true).readAllVersions()).next();
            assertEquals(List.of("q@4096=v", "q#@4096=8192"), Stream.of(stored.rawCells()).map(PopulatingPutTest::show).toList());

            refused(table, put(state(0, hbase.commits)), "above a fence only");
            refused(table, put(null), "above a fence only");
            refused(table, put(new byte[0]), "above a fence only");
            refused(table, put(state(2 * SPAN, TableName.valueOf("others"))), "is of commit table " + hbase.commits);
            refused(table, new Put(ROW).addColumn(F, F, F), "not a native put");

            for (long ts = 0; ts < 5 * SPAN; hbase.manager.end(ts)) {
                ts = hbase.manager.begin();
            }
            new HBaseCommitTable(hbase.connection, hbase.connection, hbase.commits, 20_000).raiseWatermark(5 * SPAN);
            Thread.sleep(1_500); // a region server looks once a second
            refused(table, put(state(2 * SPAN, hbase.commits)), "began at 8192 is over");
        }
    }

    private static byte[] state(long fence, TableName commitTable) {
        byte[] state = new TransactionState(4 * SPAN, 0, 0, false, SPAN, fence, commitTable).encode();
        return Arrays.copyOf(state, state.length + 1); // and Phoenix's
    }

    private static Put put(byte[] state) {
        Put put = TransactionState.populates(new Put(ROW).addColumn(F, Bytes.toBytes("q"), 17, Bytes.toBytes("v")));
        return state == null ? put : (Put) put.setAttribute("_TxState", state);
    }

    private static String show(Cell cell) {
        return Layout.isCommitCell(cell) ? "q#@" + cell.getTimestamp() + "=" + Bytes.toLong(CellUtil.cloneValue(cell))
                : Bytes.toString(CellUtil.cloneQualifier(cell)) + "@" + cell.getTimestamp() + "=" + Bytes.toString(CellUtil.cloneValue(cell));
    }

    private static void refused(Table table, Put put, String why) {
        String said = Failures.reason(assertThrows(IOException.class, () -> table.put(put)));
        assertTrue(said.contains(why), said);
    }
}
