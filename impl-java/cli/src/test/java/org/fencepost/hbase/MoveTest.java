package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The copy of docs/move.md: the methods below are the page's. */
@ExtendWith(Fixture.Extension.class)
class MoveTest {
    private static final int ROWS = 2_500;

    /** Copies the rows from a row on, a thousand to a transaction, and leaves alone what is there already. */
    static void copy(Table from, TransactionClient client, TransactionalTable to, byte[] firstRow, Consumer<byte[]> done) throws IOException {
        try (ResultScanner rows = from.getScanner(new Scan().withStartRow(firstRow).setCaching(1_000))) {
            for (Result[] some = rows.next(1_000); some.length > 0; some = rows.next(1_000)) {
                copy(some, client, to);
                done.accept(some[some.length - 1].getRow());
            }
        }
    }

    static void copy(Result[] rows, TransactionClient client, TransactionalTable to) {
        while (true) {
            try (Transaction tx = client.begin()) {
                List<Result> there = to.get(tx, Arrays.stream(rows).map(row -> new Get(row.getRow())).toList());
                for (int i = 0; i < rows.length; i++) {
                    if (there.get(i).isEmpty()) {
                        Put put = new Put(rows[i].getRow());
                        for (Cell cell : rows[i].rawCells()) {
                            put.addColumn(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
                        }
                        to.put(tx, put);
                    }
                }
                tx.commit();
                return;
            } catch (TransactionAbortedException e) {
                continue; // somebody wrote one of the rows meanwhile: look again
            }
        }
    }

    @Test
    void thePageHasTheseMethods() throws IOException {
        String page = Files.readString(Path.of("../../docs/move.md"));
        String code = page.substring(page.indexOf("```java\n") + 8, page.indexOf("\n```\n", page.indexOf("```java")));
        String here = Files.readString(Path.of("src/test/java/org/fencepost/hbase/MoveTest.java"));
        assertTrue(stripped(here).contains(stripped(code)), "docs/move.md and this test differ");
    }

    private static String stripped(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void allRowsMoveAndNewerOnesStay(Fixture hbase) throws IOException {
        TableName plain = TableName.valueOf("filled");
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(plain).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Fixture.F)).build());
        }
        TransactionClient client = hbase.client();
        TransactionalTable moved = client.table(hbase.table("f"));
        try (Table from = hbase.connection.getTable(plain)) {
            List<Put> puts = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                puts.add(Fixture.put(String.format("row%04d", i), "a", "old", "b", "of " + i));
            }
            from.put(puts);
            Fixture.commit(client, moved, "row0007", "newer");
            List<String> told = new ArrayList<>();
            copy(from, client, moved, new byte[0], row -> told.add(Bytes.toString(row)));
            assertEquals(List.of("row0999", "row1999", "row2499"), told);
            copy(from, client, moved, Bytes.toBytes("row1999"), row -> {}); // again, as after an interruption
        }
        try (Transaction tx = client.begin(); ResultScanner rows = moved.getScanner(tx, new Scan())) {
            int count = 0;
            for (Result row : rows) {
                boolean newer = Bytes.toString(row.getRow()).equals("row0007");
                assertEquals(newer ? 1 : 2, row.size(), row.toString());
                assertEquals(newer ? "newer" : "old", Bytes.toString(row.getValue(Fixture.F, Bytes.toBytes("a"))));
                count++;
            }
            assertEquals(ROWS, count);
        }
    }
}
