package org.fencepost.hbase.layout;

import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The names of our coprocessors, as they stand in the descriptions of tables. They are stored there, so they stay; and they are text,
 * since clients have no classes of HBase's servers.
 */
public final class Coprocessors {

    private static final String PACKAGE = "org.fencepost.hbase.server.";

    /** Of tables of Omid LL. */
    public static final String OMID = PACKAGE + "TransactionalRegionObserver";
    /** Of tables with a fast path. */
    public static final String FAST_PATH = PACKAGE + "FastPathObserver";
    /** Of tables that are filtered and aggregated on region servers by others: Apache Phoenix's. */
    public static final String DECIDING = PACKAGE + "DecidingRegionObserver";
    /** Of tables of Omid 2PC. */
    public static final String TWO_PHASE = PACKAGE + "TwoPhaseObserver";
    /** Of tables with leaders. */
    public static final String LEADER = PACKAGE + "LeaderObserver";
    /** Of tables that Mediator's transactions share with native clients. */
    public static final String MEDIATOR = PACKAGE + "MediatorObserver";
    /** Of commit tables. */
    public static final String COMMIT_TABLE = PACKAGE + "CommitTableGuard";

    private Coprocessors() {
    }

    /** Whether one of those is there that keep what regular transactions need. */
    public static boolean isTransactional(TableDescriptor table) {
        return table.hasCoprocessor(OMID) || table.hasCoprocessor(FAST_PATH) || table.hasCoprocessor(DECIDING) || table.hasCoprocessor(TWO_PHASE)
                || table.hasCoprocessor(LEADER);
    }
}
