package org.fencepost.hbase.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.protocol.manager.ManagerInfo;

/**
 * Which transaction manager a shard of a commit table belongs to, and how far its timestamps may have come. The region server writes
 * it before the first entry, and again before an entry whose commit timestamp is not below the floor. Whoever holds another manager, or the
 * same one after its clock was lost or set back, is refused: two managers would give the same timestamps to different transactions,
 * and neither would see what the other's committed.
 *
 * <p>A manager that takes over begins at the durable limit of the one before, so above the floor. Only the manager of the very tenure
 * that told the floor may be below it.
 *
 * @param identity of the transaction manager; null if the shard is not bound yet
 * @param floor    a durable limit that the manager told; no entry is at or above it
 * @param tenure   in which it told that
 */
public record Binding(String identity, long floor, long tenure) {

    static final byte[] IDENTITY = {'i'};
    static final byte[] FLOOR = {'f'};

    /** Of a shard without entries. */
    static final Binding NONE = new Binding(null, 0, 0);

    public static Binding to(ManagerInfo manager) {
        return new Binding(manager.identity(), manager.limit(), manager.tenure());
    }

    /** @param watermarkRow of the shard, with the two columns. Throws InvalidTableException if they make no sense */
    public static Binding of(TableName table, Result watermarkRow) {
        byte[] identity = watermarkRow.getValue(CommitRows.FAMILY, IDENTITY);
        byte[] floor = watermarkRow.getValue(CommitRows.FAMILY, FLOOR);
        if (identity == null && floor == null) {
            return NONE;
        }
        if (identity == null || floor == null || floor.length != 2 * Long.BYTES) {
            throw new InvalidTableException("The binding of commit table " + table + " is damaged: bind it anew with"
                    + " fencepost commit-table --bind.");
        }
        ByteBuffer fields = ByteBuffer.wrap(floor);
        return new Binding(new String(identity, StandardCharsets.UTF_8), fields.getLong(), fields.getLong());
    }

    /** With a timestamp of ours, which grows with the floor: the server's clock must not decide which one is newer. */
    public Put put(byte[] watermarkRow) {
        return new Put(watermarkRow)
                .addColumn(CommitRows.FAMILY, IDENTITY, floor, identity.getBytes(StandardCharsets.UTF_8))
                .addColumn(CommitRows.FAMILY, FLOOR, floor,
                        ByteBuffer.allocate(2 * Long.BYTES).putLong(floor).putLong(tenure).array());
    }

    public boolean isBound() {
        return identity != null;
    }

    /** Guard: why this manager's timestamps are not for the table; null if they are. */
    public String objection(TableName table, ManagerInfo manager) {
        if (!isBound()) {
            return null;
        }
        if (!identity.equals(manager.identity())) {
            return foreign(table, manager.identity());
        }
        if (manager.tenure() != tenure && manager.epoch() < floor) {
            return "The transaction manager of commit table " + table + " began at " + manager.epoch() + " although timestamps up to " + floor
                    + " may have been given: its maxTS in ZooKeeper was lost or set back. Stop it, and start it with --recover-from "
                    + floor + ".";
        }
        return null;
    }

    private String foreign(TableName table, String other) {
        return "HBase table " + table + " belongs to transaction manager " + identity + ", and this is " + other + ": check the ZooKeeper address"
                + " and its path. If all that was there is lost, start the transaction manager with --recover-from " + floor
                + " --recover-identity " + identity + ".";
    }

    /** Throws InvalidTableException if it belongs to another system than that of this identity. */
    public void requireIdentity(TableName table, String ours) {
        if (isBound() && !identity.equals(ours)) {
            throw new InvalidTableException(foreign(table, ours));
        }
    }

    /** Throws InvalidTableException if there is an objection. */
    public void require(TableName table, ManagerInfo manager) {
        String objection = objection(table, manager);
        if (objection != null) {
            throw new InvalidTableException(objection);
        }
    }
}
