package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.layout.Binding;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;

/**
 * What commit tables know of the transaction manager that they belong to, for that manager: see {@link Binding}. Connects each time that it
 * is asked, which is before each time as primary.
 */
public final class CommitTableFloor implements Floor {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Configuration conf;
    private final List<TableName> commitTables;

    /** @param conf HBase's */
    public CommitTableFloor(Configuration conf, List<TableName> commitTables) {
        this.conf = conf;
        this.commitTables = commitTables;
    }

    @Override
    public long floor(String identity) throws UnreachableException {
        try (Connections connections = Connections.open(conf)) {
            long floor = 0;
            for (TableName name : commitTables) {
                HBaseCommitTable table = new HBaseCommitTable(connections.repeating(), connections.once(), name, TIMEOUT_MILLIS);
                for (Binding binding : table.storedBindings()) {
                    binding.requireIdentity(name, identity);
                    floor = Math.max(floor, binding.floor());
                }
            }
            return floor;
        } catch (InvalidTableException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IOException | StoreException e) {
            throw new UnreachableException("The commit tables could not be asked: " + Failures.reason(e), e);
        }
    }
}
