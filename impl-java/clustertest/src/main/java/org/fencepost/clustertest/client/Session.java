package org.fencepost.clustertest.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.fencepost.clustertest.verdict.Op;

/** What a run has of the system under test: its connections, a table of its own, and the client that carries its operations out. */
public interface Session extends AutoCloseable {

    Client client();

    /** Name of the table, for moves of its regions. */
    String table();

    /** Whose processes are killed and paused, some more often than others; none: those of HBase and all that it needs. */
    default List<String> roles() {
        return List.of();
    }

    /** Tells each new tenure of a transaction manager, by its epoch, until told to stop. */
    void watchFailovers(BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException;

    /**
     * Lets a single client do what can be checked against a specification, and records it.
     *
     * @param keys of its own
     * @return the traces to be checked; none where there is no trace spec of the system
     * @throws IOException where the cluster did not answer
     */
    List<Path> recordCalm(String keys, Path folder) throws IOException;

    /**
     * The history with what only the store tells: when and where writes took effect whose clients did not learn it.
     *
     * @param missing gets a sentence where the store could not be read
     */
    List<Op> completed(List<Op> history, List<String> missing);

    /** Adds to the paths what clients have counted themselves; the first time that it is called, so when the load is over. */
    default void countPaths() {
    }

    /** Drops the table, too, if the cluster lets it. */
    @Override
    void close();
}
