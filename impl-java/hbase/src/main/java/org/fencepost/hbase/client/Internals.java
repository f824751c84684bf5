package org.fencepost.hbase.client;

import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/** What stands behind the API, for this project's own tools, demos and tests. It is no part of the API and changes without notice. */
public final class Internals {

    /** What is put between Omid's protocols and HBase. */
    public record Seams(UnaryOperator<VersionedStore<CellKey, byte[]>> store, UnaryOperator<CommitTable> commitTable, Tracer tracer) {

        public static final Seams NONE = new Seams(store -> store, table -> table, Tracer.OFF);
    }

    /** What is put between Mediator and HBase. */
    public record MediatorSeams(UnaryOperator<DataServers<CellKey, Write<byte[]>>> servers, Tracer tracer) {

        public static final MediatorSeams NONE = new MediatorSeams(servers -> servers, Tracer.OFF);
    }

    private Internals() {
    }

    public static TransactionClient open(Configuration conf, TransactionManager manager, Seams seams) {
        return TransactionClient.open(conf, manager, seams);
    }

    public static MediatorClient open(Configuration conf, Oracle oracle, Log<byte[]> log, MediatorSeams seams) {
        return MediatorClient.open(conf, oracle, log, seams);
    }

    public static OmidLL<CellKey, byte[]> protocol(TransactionClient client) {
        return client.protocol();
    }

    public static FastPath fastPath(TransactionClient client) {
        return client.fastPath();
    }

    public static HBaseStore rows(TransactionClient client) {
        return client.rows();
    }

    public static VersionedStore<CellKey, byte[]> store(TransactionClient client) {
        return client.store();
    }

    /** Null where commit entries are with leaders. */
    public static CommitTable commitTable(TransactionClient client) {
        return client.commitTable();
    }

    public static Connection connection(TransactionClient client) {
        return client.connection();
    }

    public static Settings settings(TransactionClient client) {
        return client.settings();
    }

    /** As the protocol knows an index. */
    public static SecondaryIndex<CellKey, byte[]> kept(Index index, OmidLL<CellKey, byte[]> ll) {
        return index.kept(ll, Tracer.OFF);
    }

    public static TransactionManager manager(TransactionClient client) {
        return client.manager();
    }

    public static Clock clock(TransactionClient client) {
        return client.clock();
    }

    /** What Omid LL knows of a transaction. */
    public static OmidLLTransaction<CellKey, byte[]> state(Transaction tx) {
        return tx.state();
    }

    public static Requests requests(TransactionalTable table) {
        return table.requests();
    }
}
