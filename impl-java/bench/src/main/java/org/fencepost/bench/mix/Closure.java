package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.bench.mix.Contender.Aborted;

/**
 * VLDB'18 fig. 8: the transitive closure of a graph, which is a table with a row for each edge. One transaction has ten statements, each of
 * which scans the table as it was when the statement began and inserts meanwhile what follows: for an edge from b to c, that
 * from a to c, if the graph has one from a to b.
 *
 * <p>The graph has chains of eleven edges, so that the tenth statement is the last one that finds something, and single edges. Each run has rows
 * of its own, which begin with its number.
 */
final class Closure {

    /** A transaction of a system that has checkpoints. */
    interface Edges {

        /** From now on scans show what was inserted before, and nothing of what is inserted from now on. */
        void checkpoint() throws IOException, Aborted;

        /** @param found gets the rows from {@code from}, up to {@code to} without itself, in order, and may insert meanwhile */
        void scan(byte[] from, byte[] to, Rows found) throws IOException, Aborted;

        void insert(List<byte[]> rows) throws IOException, Aborted;

        void commit() throws IOException, Aborted;
    }

    interface Rows {

        void accept(byte[] row) throws IOException, Aborted;
    }

    static final int STATEMENTS = 10;
    private static final int CHAIN = STATEMENTS + 1;
    /** Pairs of a chain's nodes that are not next to each other. */
    private static final int FOUND_PER_CHAIN = CHAIN * (CHAIN - 1) / 2;
    private static final int AT_ONCE = 1_000;
    private static final int RUN_DIGITS = 4;
    private static final int NODE_DIGITS = 8;

    private final int run;
    private final int edges;
    private final int chains;

    /** @param chains of eleven edges each, of the edges */
    Closure(int run, int edges, int chains) {
        this.run = run;
        this.edges = edges;
        this.chains = chains;
    }

    static int mostChains(int edges) {
        return edges / CHAIN;
    }

    /** Edges in the end. */
    int closed() {
        return edges + chains * FOUND_PER_CHAIN;
    }

    /** The edges at the beginning, by parts. Nodes have numbers in the order of their chain, from its end to its beginning. */
    List<List<byte[]>> graph() {
        List<List<byte[]>> parts = new ArrayList<>();
        List<byte[]> part = new ArrayList<>();
        int node = 0;
        for (int edge = 0; edge < edges; edge++, node++) {
            part.add(row(new Edge(node + 1, node)));
            boolean last = edge >= chains * CHAIN || edge % CHAIN == CHAIN - 1;
            node += last ? 1 : 0;
            if (part.size() == AT_ONCE || edge == edges - 1) {
                parts.add(part);
                part = new ArrayList<>();
            }
        }
        return parts;
    }

    /** Throws IllegalStateException if a statement scans anything but what was there when it began. */
    void close(Edges table) throws IOException, Aborted {
        int present = edges;
        for (int i = 1; i <= STATEMENTS; i++) {
            table.checkpoint();
            int scanned = statement(table, i);
            if (scanned != present) {
                throw new IllegalStateException("Statement " + i + " has scanned " + scanned + " edges, not " + present + ".");
            }
            present += chains * (CHAIN - i);
        }
        table.commit();
    }

    /** Inserts while it scans, and ahead of the scan. What it found that is older than the last statement has been followed by then. */
    private int statement(Edges table, int number) throws IOException, Aborted {
        List<byte[]> inserts = new ArrayList<>();
        int[] scanned = {0};
        scan(table, edge -> {
            scanned[0]++;
            if (edge.from - edge.to == number && edge.from < chains * (CHAIN + 1) && edge.from % (CHAIN + 1) < CHAIN) {
                inserts.add(row(new Edge(edge.from + 1, edge.to)));
            }
            if (inserts.size() == AT_ONCE) {
                table.insert(List.copyOf(inserts));
                inserts.clear();
            }
        });
        if (!inserts.isEmpty()) {
            table.insert(inserts);
        }
        return scanned[0];
    }

    int count(Edges table) throws IOException, Aborted {
        int[] count = {0};
        scan(table, edge -> count[0]++);
        table.commit();
        return count[0];
    }

    private interface Found {

        void accept(Edge edge) throws IOException, Aborted;
    }

    private void scan(Edges table, Found found) throws IOException, Aborted {
        table.scan(prefix(run), prefix(run + 1), row -> found.accept(Edge.of(row)));
    }

    private record Edge(int from, int to) {

        static Edge of(byte[] row) {
            String text = new String(row, StandardCharsets.US_ASCII);
            int middle = RUN_DIGITS + NODE_DIGITS;
            return new Edge(Integer.parseInt(text, RUN_DIGITS, middle, 10), Integer.parseInt(text, middle, text.length(), 10));
        }
    }

    private byte[] row(Edge edge) {
        return String.format("%0" + RUN_DIGITS + "d%0" + NODE_DIGITS + "d%0" + NODE_DIGITS + "d", run, edge.from, edge.to).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] prefix(int run) {
        return String.format("%0" + RUN_DIGITS + "d", run).getBytes(StandardCharsets.US_ASCII);
    }
}
