package org.fencepost.tm.server;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.tm.wire.Wire;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is let in, and how much of the server each may take. Confined to the serving thread.
 *
 * <p>A connection is a stranger until its hello has come, TLS handshake and all. There is room for so many strangers; when one more
 * arrives, the address that has the most of them loses its oldest. So who opens thousands of sockets pushes out its own, and
 * others from elsewhere come in. A connection with a good hello is its client's: that of its certificate's subject, or of its IP
 * address where there is no TLS. Clients are limited in their connections, one by one and all together, and have rights.
 */
final class Admission {

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    /** Lines about closed connections from one {@link #sweep} to the next: strangers must not fill the disk. */
    private static final int LOGGED = 20;
    private static final int LONGEST_REASON = 300;

    private final Limits limits;
    private final Metrics metrics;
    /** Oldest first. */
    private final Set<TmConnection> strangers = new LinkedHashSet<>();
    private final Set<TmConnection> admitted = new HashSet<>();
    private final Map<String, ClientUse> clients = new HashMap<>();
    /** Null: everybody may do everything. */
    private Authorization authorization;
    private int closings;

    Admission(Limits limits, Metrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
    }

    /** From now on; who has no rights any more is told so and closed. */
    void authorize(Authorization changed) {
        authorization = changed;
        clients.forEach((name, client) -> client.setRights(rights(name)));
        for (TmConnection connection : new ArrayList<>(admitted)) {
            if (rights(connection.client().name()) == 0) {
                refuse(connection, connection.client().name());
            }
        }
    }

    private long rights(String client) {
        return authorization == null ? Role.ALL : authorization.rights(client);
    }

    // ---- connections come and go

    /** Returns whether there is room for another client. */
    boolean opened(TmConnection connection) {
        if (strangers.size() >= limits.maxHandshakes()) {
            metrics.connectionsTurnedAway++;
            TmConnection oldest = mostFrequentStranger();
            strangers.remove(oldest); // now, and not when it has been closed
            oldest.close("too many connections are waiting for their first frame");
        }
        strangers.add(connection);
        return admitted.size() < limits.maxConnections();
    }

    private TmConnection mostFrequentStranger() {
        Map<String, Integer> counts = new HashMap<>();
        strangers.forEach(stranger -> counts.merge(address(stranger), 1, Integer::sum));
        int most = counts.values().stream().max(Integer::compare).orElseThrow();
        return strangers.stream().filter(stranger -> counts.get(address(stranger)) == most).findFirst().orElseThrow();
    }

    /** Whose the connection is from now on; null if it is not let in, which it has been told. */
    ClientUse admit(TmConnection connection) {
        String subject = connection.subject();
        String name = subject == null ? address(connection) : subject;
        long rights = rights(name);
        ClientUse client = clients.get(name);
        if (rights == 0) {
            refuse(connection, name);
        } else if (admitted.size() >= limits.maxConnections()) {
            connection.goodbye(Wire.FULL, "it serves " + limits.maxConnections() + " connections already");
        } else if (client != null && client.connections >= limits.maxConnectionsPerClient()) {
            connection.goodbye(Wire.FULL, "it serves " + limits.maxConnectionsPerClient() + " connections of " + name
                    + " already (--max-connections-per-client)");
        } else {
            if (client == null) {
                client = new ClientUse(name, rights, limits, System.nanoTime());
                clients.put(name, client);
            }
            client.connections++;
            strangers.remove(connection);
            admitted.add(connection);
            return client;
        }
        return null;
    }

    private void refuse(TmConnection connection, String name) {
        metrics.connectionsUnauthorized++;
        connection.goodbye(Wire.UNAUTHORIZED, "its operator has not listed " + name + " (--authorize)");
    }

    void closed(TmConnection connection) {
        strangers.remove(connection);
        if (admitted.remove(connection)) {
            connection.client().connections--;
        }
    }

    private static String address(TmConnection connection) {
        SocketAddress address = connection.remoteAddress();
        return address instanceof InetSocketAddress ip ? ip.getAddress().getHostAddress() : String.valueOf(address);
    }

    // ---- all of them

    /** Strangers and clients: some may close another while they are gone through. */
    Collection<TmConnection> connections() {
        List<TmConnection> all = new ArrayList<>(strangers);
        all.addAll(admitted);
        return all;
    }

    /** Clients' connections. */
    int size() {
        return admitted.size();
    }

    /** Those that are remembered. */
    int clients() {
        return clients.size();
    }

    /** Now and then. */
    void sweep(long nowNanos) {
        connections().forEach(connection -> connection.sweep(nowNanos));
        clients.values().removeIf(client -> client.isForgettable(nowNanos));
        if (closings > LOGGED) {
            LOG.info("Closed {} more connections.", closings - LOGGED);
        }
        closings = 0;
    }

    /** What a client had a part in: not long, and in one line. */
    private static String line(String reason) {
        return (reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) + " ..." : reason).replaceAll("\\p{Cntrl}", "?");
    }

    /** Tells of a connection that is closed, unless there are too many of them. */
    void logClosing(TmConnection connection, String reason) {
        closings++;
        if (closings <= LOGGED) {
            LOG.info("Closing the connection from {}: {}.", connection.remoteAddress(), line(reason));
        }
    }
}
