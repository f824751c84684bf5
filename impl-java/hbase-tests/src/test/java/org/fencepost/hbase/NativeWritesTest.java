package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HBase's own writes cannot reach what transactions have committed, on any of the tables of Omid. */
@ExtendWith(Fixture.Extension.class)
class NativeWritesTest {

    private static final byte[] ROW = Bytes.toBytes("r");
    private static final byte[] A = Bytes.toBytes("a");
    private static final byte[] COUNT = Bytes.toBytes("count");
    private static final long SPAN = 1 << 10;
    private static final long VERSION = 7 * SPAN;

    enum Kind {
        PLAIN, FAST, TWO_PHASE
    }

    private Fixture hbase;

    @BeforeEach
    void setUp(Fixture fixture) {
        hbase = fixture.withSpan(SPAN);
    }

    private TableName table(Kind kind) throws IOException {
        if (kind == Kind.TWO_PHASE) {
            hbase.conf.set(Settings.PROTOCOL, "2pc");
            TableName name = TableName.valueOf("native" + hbase.commits);
            try (Admin admin = hbase.connection.getAdmin()) {
                admin.createTable(Tables.twoPhase(Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), hbase.commits)));
            }
            return name;
        }
        return kind == Kind.FAST ? hbase.fastTable(1) : hbase.table();
    }

    interface Write {
        void send(Table table) throws Exception;
    }

    private void refused(TableName name, String words, Write write) throws IOException {
        try (Table table = hbase.connection.getTable(name)) {
            IOException e = assertThrows(IOException.class, () -> write.send(table));
            String sentence = Failures.reason(e);
            assertTrue(sentence.contains(words), sentence);
            assertTrue(sentence.endsWith(" than this region server.") || sentence.endsWith("version of Fencepost."), sentence);
        }
    }

    private static RowMutations all(Mutation mutation) throws IOException {
        return new RowMutations(mutation.getRow()).add(mutation);
    }

    @ParameterizedTest
    @EnumSource
    void areRefusedAndLoseNothing(Kind kind) throws Exception {
        TableName name = table(kind);
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(name);
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "1"));
            table.put(tx, new Put(ROW).addColumn(F, COUNT, Bytes.toBytes(5L)));
            tx.commit();
        }
        List<String> before = hbase.stored(name);
        refused(name, "not a native delete of row r", raw -> raw.delete(new Delete(ROW)));
        refused(name, "not a native delete", raw -> raw.delete(new Delete(ROW).addFamily(F)));
        refused(name, "not a native delete", raw -> raw.delete(new Delete(ROW).addColumns(F, A)));
        refused(name, "not a native delete", raw -> raw.delete(new Delete(ROW).addColumn(F, A)));
        refused(name, "not a native delete", raw -> raw.delete(new Delete(ROW).addColumn(F, A, VERSION)));
        refused(name, "not a native put", raw -> raw.put(new Put(ROW).addColumn(F, A, A)));
        refused(name, "not a native put", raw -> raw.put(new Put(ROW).addColumn(F, A, VERSION, A)));
        refused(name, "not a native put", raw -> raw.put(new Put(ROW).addColumn(F, A, A).setTTL(1)));
        refused(name, "not an increment", raw -> raw.increment(new Increment(ROW).addColumn(F, COUNT, 1)));
        refused(name, "not an append", raw -> raw.append(new Append(ROW).addColumn(F, A, A)));
        refused(name, "not a native put", raw -> raw.mutateRow(all(new Put(ROW).addColumn(F, A, A))));
        refused(name, "not a native delete", raw -> raw.mutateRow(all(new Delete(ROW).addColumns(F, A))));
        refused(name, "not a check-and-mutate", raw -> raw.checkAndMutate(
                CheckAndMutate.newBuilder(ROW).ifNotExists(F, Bytes.toBytes("b")).build(new Put(ROW).addColumn(F, A, A))));
        refused(name, "not a check-and-mutate", raw -> raw.checkAndMutate(
                CheckAndMutate.newBuilder(ROW).ifNotExists(F, Bytes.toBytes("b")).build(new Delete(ROW))));
        refused(name, "not a check-and-mutate", raw -> raw.checkAndMutate(
                CheckAndMutate.newBuilder(ROW).ifNotExists(F, Bytes.toBytes("b")).build(all(new Delete(ROW)))));
        refused(name, "not a native put", raw -> raw.batch(List.of(new Put(ROW).addColumn(F, A, A)), new Object[1]));
        hbase.compact(name);
        assertEquals(before, hbase.stored(name));
        try (Transaction tx = client.begin()) {
            assertEquals("1", Bytes.toString(table.get(tx, Fixture.get("r")).getValue(F, A)));
            assertEquals(5, Bytes.toLong(table.get(tx, Fixture.get("r")).getValue(F, COUNT)));
        }
    }

    /** The mark says what a write is, and is held to that. */
    @ParameterizedTest
    @EnumSource
    void aMarkedWriteIsOneOfATransaction(Kind kind) throws Exception {
        TableName name = table(kind);
        byte[] commitQualifier = Layout.commitQualifier(A);
        refused(name, "has no version", raw -> raw.put(OmidWrites.mark(new Put(ROW)).addColumn(F, A, 0, A)));
        refused(name, "has a time to live", raw -> raw.put(OmidWrites.mark(new Put(ROW)).addColumn(F, A, VERSION, A).setTTL(1)));
        refused(name, "has a commit cell without commit timestamp",
                raw -> raw.put(OmidWrites.mark(new Put(ROW)).addColumn(F, commitQualifier, VERSION, A)));
        refused(name, "has a commit cell without commit timestamp",
                raw -> raw.put(OmidWrites.mark(new Put(ROW)).addColumn(F, commitQualifier, VERSION, Bytes.toBytes(VERSION - SPAN))));
        refused(name, "has cells of type DeleteColumn", raw -> raw.delete(OmidWrites.mark(new Delete(ROW)).addColumns(F, A, VERSION)));
        refused(name, "has cells of type DeleteFamily", raw -> raw.delete(OmidWrites.mark(new Delete(ROW, VERSION))));
        refused(name, "has no version", raw -> raw.delete(OmidWrites.mark(new Delete(ROW)).addColumn(F, A)));
        assertEquals(List.of(), hbase.stored(name));
        try (Table raw = hbase.connection.getTable(name)) {
            raw.put(OmidWrites.mark(new Put(ROW)).addColumn(F, A, VERSION, A));
            assertFalse(hbase.stored(name).isEmpty(), "the others were not refused for something else");
            raw.delete(OmidWrites.mark(new Delete(ROW)).addColumn(F, A, VERSION));
        }
        assertEquals(List.of(), hbase.stored(name));
        TransactionClient client = hbase.client();
        try (Transaction tx = client.begin()) {
            assertEquals("", read(client.table(name), tx, "r"));
        }
    }
}
