package org.fencepost.hbase.client;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.layout.WriteSets;
import org.fencepost.hbase.store.Connections;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;

/**
 * Where transactions begin on tables that HBase clients read and write natively at the same time (Mediator, SYSTOR'14), under
 * snapshot isolation or serializability ({@link Settings#MEDIATOR_ISOLATION}). One per process is enough; thread-safe.
 *
 * <p>Native clients need nothing. They never abort and never see what is not committed. They put and delete whole columns
 * without timestamps; what reads before it writes, such as an increment, is refused to them.
 *
 * <p>A transaction reads columns by name, and conflicts are per column. A transaction that writes one column and has read none
 * is a native put. A process that uses a column natively and in transactions does nothing natively while one of its
 * transactions is open, if it cares about the order.
 */
public final class MediatorClient implements AutoCloseable {

    private final Settings settings;
    private final Connections connections;
    private final Oracle oracle;
    private final Mediator<CellKey, Write<byte[]>> mediator;

    private MediatorClient(Settings settings, Mediator.Settings protocol, Connections connections, Oracle oracle, Log<byte[]> log,
            Internals.MediatorSeams seams) {
        this.settings = settings;
        this.connections = connections;
        this.oracle = oracle;
        DataServers<CellKey, Write<byte[]>> servers = new MediatorServers(connections, settings.timeoutMillis());
        this.mediator = new Mediator<>(oracle, WriteSets.in(log), seams.servers().apply(servers), new SystemClock(), CellKey::cellHash,
                protocol, seams.tracer());
    }

    /**
     * Connects to HBase.
     *
     * @param conf   HBase's configuration, with the keys of {@link Settings}
     * @param oracle stays the caller's to close
     * @param log    the oracle's
     * @throws StoreException           if HBase does not answer within {@link Settings#TIMEOUT}
     * @throws IllegalArgumentException if the configuration makes no sense
     */
    public static MediatorClient open(Configuration conf, Oracle oracle, Log<byte[]> log) {
        return open(conf, oracle, log, Internals.MediatorSeams.NONE);
    }

    static MediatorClient open(Configuration conf, Oracle oracle, Log<byte[]> log, Internals.MediatorSeams seams) {
        Settings settings = Settings.from(conf);
        Mediator.Settings protocol = Settings.mediator(conf);
        return new MediatorClient(settings, protocol, Connections.connect(settings.bounded(conf)), oracle, log, seams);
    }

    /** Throws {@link TransactionManagerException} if the status oracle does not answer. */
    public Transaction begin() {
        return new Transaction(this, new MediatorState(mediator), settings.maxWriteBytes());
    }

    /**
     * A table to use in transactions; keep it, any number of threads may use it.
     *
     * @param families                     some that the caller may read in, where it may not read in all of the table
     * @throws InvalidTableException       if there is no such table, if it is none of Mediator's, or if the status oracle's
     *                                     timestamps leave no room for stamps
     * @throws StoreException              if HBase does not answer
     * @throws TransactionManagerException if the status oracle does not answer
     */
    public TransactionalTable table(TableName name, byte[]... families) {
        try {
            TableDescriptor description = Descriptions.read(connections.repeating(), name, families);
            TableAttributes.requireNotReplicated(description);
            requireRoom(name, TableAttributes.requireMediated(description));
            return new TransactionalTable(this, description, connections.repeating().getConfiguration(),
                    new MediatorRows(mediator, name));
        } catch (IOException e) {
            throw Failures.store("read the description", name, e);
        }
    }

    /** Two timestamps tell: if the oracle's leap is smaller, they are not both multiples of the span. */
    private void requireRoom(TableName name, long span) {
        for (int i = 0; i < 2; i++) {
            if (oracle.begin(false).startTs() % span != 0) {
                throw new InvalidTableException("HBase table " + name + " has native puts of span " + span
                        + ", and the transaction manager leaves no room for them: start that with a leap of " + span + ".");
            }
        }
    }

    /**
     * What became of a transaction after {@link org.fencepost.protocol.OutcomeUnknownException}: see {@link Mediator#resolve}.
     * Any client may ask.
     */
    public TransactionStatus resolve(long startTs, long commitTs) {
        return mediator.resolve(startTs, commitTs);
    }

    Mediator<CellKey, Write<byte[]>> mediator() {
        return mediator;
    }

    @Override
    public void close() {
        connections.close();
    }
}
