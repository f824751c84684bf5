package org.fencepost.clustertest.ph1;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraSessions;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.protocol.TransactionException;

/** What cluster/cluster waits for: makes the redo log, unless it is there, and lets every instance commit a transaction. */
public final class Ready {

    private static final String TABLE = "ready";
    private static final int ANSWER_MILLIS = 15_000;
    private static final int PAUSE_MILLIS = 300;

    private Ready() {
    }

    /** Argument: seconds. */
    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        String missing;
        do {
            Thread.sleep(PAUSE_MILLIS);
            missing = missing();
        } while (missing != null && System.nanoTime() - end < 0);
        if (missing != null) {
            System.err.println("pH1 does not serve after " + arguments[0] + " s: " + missing);
        }
        System.exit(missing == null ? 0 : 1);
    }

    /** Null if nothing is. */
    private static String missing() {
        try (CqlSession session = Places.connect()) {
            CassandraSessions.createKeyspace(session, Places.KEYSPACE, Places.REPLICAS);
            CassandraStore.createTable(session, Places.KEYSPACE, TABLE);
            new CassandraLog(session, Places.KEYSPACE);
            for (String node : Places.instances()) {
                try (Instance instance = new Instance(node, ANSWER_MILLIS)) {
                    long startTs = Long.parseLong(instance.ask(0, Instance.BEGIN));
                    instance.ask(startTs, Instance.PUT, TABLE, node, "1");
                    instance.ask(startTs, Instance.COMMIT);
                } catch (IOException e) {
                    return "there is no instance at " + node + ": " + e.getMessage();
                }
            }
            return null;
        } catch (TransactionException | DriverException | IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
