package org.fencepost.tm.server;

import java.util.concurrent.TimeUnit;

/**
 * What one client, however many connections it has, may do and has taken: see {@link Admission}. Confined to the serving thread.
 *
 * <p>Keys for the conflict table come out of a bucket that fills at the limit's rate and holds a second's worth, or one commit of the
 * largest size.
 */
final class ClientUse {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final double keysPerNano;
    private final double most;
    private double keys;
    private long filledNanos;
    private long rights;
    int connections;

    /** @param rights see {@link Role#rights} */
    ClientUse(String name, long rights, Limits limits, long nowNanos) {
        this.name = name;
        this.rights = rights;
        this.keysPerNano = limits.keysPerSecond() / NANOS_PER_SECOND;
        this.most = Math.max(limits.keysPerSecond(), limits.maxWriteSet());
        this.keys = most;
        this.filledNanos = nowNanos;
    }

    String name() {
        return name;
    }

    void setRights(long changed) {
        rights = changed;
    }

    /** For types below 64, and it is up to the caller that there are no others. */
    boolean may(byte type) {
        return (rights >>> type & 1) != 0;
    }

    /** Takes them, all or none. */
    boolean takesKeys(int wanted, long nowNanos) {
        fill(nowNanos);
        if (wanted > keys) {
            return false;
        }
        keys -= wanted;
        return true;
    }

    private void fill(long nowNanos) {
        if (nowNanos - filledNanos > 0) {
            keys = Math.min(most, keys + (nowNanos - filledNanos) * keysPerNano);
            filledNanos = nowNanos;
        }
    }

    /** Whether a client that comes back would be treated the same without this. */
    boolean isForgettable(long nowNanos) {
        fill(nowNanos);
        return connections == 0 && keys >= most;
    }
}
