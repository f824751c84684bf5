package org.fencepost.tm.server;

import org.fencepost.tm.wire.Wire;

/**
 * What one client can make the server hold or wait for.
 *
 * @param maxWriteSet      hashes and tables in one commit request
 * @param maxConnections   clients connected at once; more are told so and closed
 * @param maxConnectionsPerClient  those of one client: a certificate's subject, or an IP address without TLS
 * @param maxHandshakes    connections whose first frame has not come; one more costs another its place
 * @param keysPerSecond    keys that one client may commit each second: they push others' out of the conflict table
 * @param handshakeMillis  for the first frame to arrive, and for the rest of any frame after its first bytes
 * @param idleMillis       a connection that sends nothing for so long is closed; clients ping more often
 * @param outboundBytes    answers a client may leave unread before the server stops reading from it
 */
record Limits(int maxWriteSet, int maxConnections, int maxConnectionsPerClient, int maxHandshakes, int keysPerSecond, long handshakeMillis,
        long idleMillis, int outboundBytes) {

    static final Limits DEFAULT = new Limits(100_000, 1024, 512, 128, 10_000_000, 5_000, 60_000, 1 << 20);

    Limits {
        if (maxWriteSet < 1 || maxWriteSet > 10_000_000) {
            throw new IllegalArgumentException("The largest write set must be 1 to 10000000 keys, not " + maxWriteSet + ".");
        }
        if (maxConnections < 1 || maxConnectionsPerClient < 1 || maxHandshakes < 1 || keysPerSecond < 1 || handshakeMillis < 1
                || idleMillis < 1 || outboundBytes < 1) {
            throw new IllegalArgumentException("Connections, keys each second, time limits and unread bytes must be at least 1.");
        }
    }

    int maxFrame() {
        return Wire.COMMIT_AGAIN_FIXED + 8 * maxWriteSet;
    }
}
