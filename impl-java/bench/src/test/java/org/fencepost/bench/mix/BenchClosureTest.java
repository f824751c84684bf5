package org.fencepost.bench.mix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.mix.Contender.Aborted;
import org.junit.jupiter.api.Test;

class BenchClosureTest {

    /** In memory. */
    private static class Table implements Closure.Edges {

        final TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        final List<byte[]> current = new ArrayList<>();

        @Override
        public void checkpoint() {
            rows.addAll(current);
            current.clear();
        }

        @Override
        public void scan(byte[] from, byte[] to, Closure.Rows found) throws IOException, Aborted {
            for (byte[] row = rows.ceiling(from); row != null && Bytes.compareTo(row, to) < 0; row = rows.higher(row)) {
                found.accept(row);
            }
        }

        @Override
        public void insert(List<byte[]> inserted) {
            current.addAll(inserted);
        }

        @Override
        public void commit() {
            checkpoint();
        }
    }

    private static Table graph(Table table, Closure closure) {
        closure.graph().forEach(table::insert);
        table.commit();
        return table;
    }

    @Test
    void tenStatementsCloseTheGraph() throws Exception {
        Closure closure = new Closure(3, 2_000, 100);
        Table table = graph(new Table(), closure);
        assertEquals(2_000, closure.count(table));
        closure.close(table);
        assertEquals(2_000 + 100 * 55, closure.closed());
        assertEquals(closure.closed(), closure.count(table));
        assertEquals(closure.closed(), table.rows.size());
        assertEquals(0, new Closure(4, 2_000, 100).count(table), "another run has rows of its own");
    }

    @Test
    void aStatementThatSeesItsOwnInsertsIsNoticed() {
        Closure closure = new Closure(3, 2_000, 100);
        Table table = graph(new Table() {
            @Override
            public void insert(List<byte[]> inserted) {
                rows.addAll(inserted);
            }
        }, closure);
        assertTrue(assertThrows(IllegalStateException.class, () -> closure.close(table)).getMessage().startsWith("Statement 1 has scanned 2"));
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--pairs must be at least 1.", "--pairs", "0");
        assertRefused("--warm-up-pairs must be at least 0.", "--warm-up-pairs", "-1");
        assertRefused("--chains must be 1 to 90, a part of the --keys edges.", "--keys", "1000", "--chains", "91");
        assertRefused("--chains is at most 1818: the transaction manager takes 100000 keys of a transaction, and a chain has 55 new edges.", "--chains", "1819");
        assertRefused("Apache Omid is not in nowhere: run `make bench`, which fetches it, or name its place by --peer.", "--peer", "nowhere");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new BenchClosure().command(), arguments);
    }
}
