package org.fencepost.phoenix;

import java.io.IOException;
import java.lang.reflect.Field;
import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.transaction.PhoenixTransactionClient;
import org.apache.phoenix.transaction.PhoenixTransactionContext;
import org.apache.phoenix.transaction.PhoenixTransactionProvider;
import org.apache.phoenix.transaction.TransactionFactory;
import org.fencepost.hbase.layout.Coprocessors;
import org.fencepost.hbase.layout.TransactionState;

/**
 * Fencepost as Apache Phoenix's transaction provider. Phoenix 5.2 knows a fixed set of providers; this one takes the place of OMID, so that
 * SQL and what is stored of a table go on saying {@code TRANSACTION_PROVIDER='OMID'}. Clients get it with the jar ({@link Installer}), region
 * servers by a coprocessor ({@link RegionServerInstaller}).
 */
public final class FencepostTransactionProvider implements PhoenixTransactionProvider {

    private static final FencepostTransactionProvider INSTANCE = new FencepostTransactionProvider();

    private FencepostTransactionProvider() {
    }

    /** Takes the place of Phoenix's own provider in this process, for good. Throws IllegalStateException if this Phoenix has no such place. */
    public static void install() {
        try {
            Field place = TransactionFactory.Provider.class.getDeclaredField("provider");
            place.setAccessible(true);
            place.set(TransactionFactory.Provider.OMID, INSTANCE);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("Fencepost cannot stand in for the transaction provider of this version of Apache Phoenix: use"
                    + " version 5.2.1. " + e.getMessage(), e);
        }
    }

    @Override
    public PhoenixTransactionContext getTransactionContext(byte[] encoded) throws IOException {
        // The last byte is the provider's code.
        return new FencepostTransactionContext(TransactionState.decode(encoded, Math.max(0, encoded.length - 1)));
    }

    @Override
    public PhoenixTransactionContext getTransactionContext(PhoenixConnection connection) throws SQLException {
        PhoenixTransactionClient client = connection.getQueryServices().initTransactionClient(getProvider());
        if (!(client instanceof FencepostClient ours)) {
            throw new SQLExceptionInfo.Builder(SQLExceptionCode.TRANSACTION_FAILED).setMessage("This connection was opened before Fencepost was"
                    + " installed: open another.").build().buildException();
        }
        return new FencepostTransactionContext(ours);
    }

    @Override
    public PhoenixTransactionClient getTransactionClient(Configuration conf, ConnectionInfo connection) throws SQLException {
        try {
            return FencepostClient.open(conf);
        } catch (RuntimeException e) {
            throw FencepostTransactionContext.failed(SQLExceptionCode.TRANSACTION_FAILED, e);
        }
    }

    @Override
    public TransactionFactory.Provider getProvider() {
        return TransactionFactory.Provider.OMID;
    }

    @Override
    public String getCoprocessorClassName() {
        return Coprocessors.DECIDING;
    }

    /** The same coprocessor does both. */
    @Override
    public String getGCCoprocessorClassName() {
        return null;
    }

    @Override
    public boolean isUnsupported(Feature feature) {
        return true;
    }

    /**
     * Of index rows that a region server puts for the statement that builds the index. They get the fence's version, which neither of these times is: the
     * statement's transaction tells it, which Phoenix adds to the put, to {@link org.fencepost.hbase.server.DecidingRegionObserver}.
     */
    @Override
    public Put markPutAsCommitted(Put put, long timestamp, long commitTimestamp) {
        return TransactionState.populates(put);
    }

    @Override
    public String toString() {
        return getProvider().toString();
    }
}
