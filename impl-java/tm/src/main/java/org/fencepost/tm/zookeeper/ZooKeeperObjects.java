package org.fencepost.tm.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * The shared objects as persistent nodes, {@code /fencepost/lease}, {@code maxTS} and {@code identity}. None depends on a
 * ZooKeeper session: a session may outlive its process or end before it, a versioned write is decided once.
 *
 * <p>With {@link ZooKeeperAuth}, the nodes and the one above them, without whose rights nobody can delete them, are the managers' alone.
 * Those that were created without are taken over before they are read for the first time.
 */
public final class ZooKeeperObjects implements SharedObjects, AutoCloseable {

    private static final String ROOT = "/fencepost";
    private static final Pattern SERVER = Pattern.compile("(\\[[^]]+]|[^\\[\\]:,/\\s]+)(:\\d{1,5})?");
    private static final int CONNECTION_MILLIS = 1_000;
    private static final int SESSION_MILLIS = 4_000;

    private final CuratorFramework zooKeeper;
    private final String connect;
    private final ZooKeeperAuth auth;
    /** Nodes that are known to be open to nobody else. */
    private final Set<String> secured = ConcurrentHashMap.newKeySet();

    /** @param connect host:port, several separated by commas; a path may follow, under which everything is kept */
    public ZooKeeperObjects(String connect, ZooKeeperAuth auth) {
        this.connect = connect;
        this.auth = auth;
        this.zooKeeper = connect(connect, auth);
    }

    /** Throws IllegalArgumentException, with one sentence, if ZooKeeper's client could make nothing of it. */
    public static void requireAddress(String connect) {
        for (String server : connect.split("/", 2)[0].split(",", -1)) {
            if (!SERVER.matcher(server.strip()).matches()) {
                throw new IllegalArgumentException("'" + server + "' is no ZooKeeper server: give HOST:PORT, several separated by commas; a path may follow.");
            }
        }
    }

    /**
     * Without retries: the callers know better what to do in the meantime.
     *
     * @throws IllegalArgumentException see {@link #requireAddress}
     */
    public static CuratorFramework connect(String connect, ZooKeeperAuth auth) {
        requireAddress(connect);
        int slash = connect.indexOf('/');
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(slash < 0 ? connect : connect.substring(0, slash))
                .connectionTimeoutMs(CONNECTION_MILLIS).sessionTimeoutMs(SESSION_MILLIS)
                .retryPolicy(new RetryNTimes(0, 0)).dontUseContainerParents();
        auth.applyTo(builder);
        CuratorFramework client = builder.build();
        client.start();
        return client;
    }

    /** Where an object is, given what follows --zookeeper; an empty name for the node above all of them. */
    public static String path(String connect, String name) {
        int slash = connect.indexOf('/');
        return (slash < 0 ? "" : connect.substring(slash)) + ROOT + (name.isEmpty() ? "" : "/" + name);
    }

    @Override
    public Versioned read(String name) throws UnreachableException {
        Versioned found = find(name);
        if (found == null) {
            create(name, ""); // unless another manager was faster
        }
        return found == null ? new Versioned("", 0) : found;
    }

    /** As {@link #read}, but null where there is none. */
    public Versioned find(String name) throws UnreachableException {
        try {
            secure("");
            secure(name);
            Stat stat = new Stat();
            byte[] text = zooKeeper.getData().storingStatIn(stat).forPath(path(connect, name));
            return new Versioned(new String(text, StandardCharsets.UTF_8), stat.getVersion());
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (Exception e) {
            throw unreachable("read", name, e);
        }
    }

    /** Returns false if it is there already. */
    public boolean create(String name, String text) throws UnreachableException {
        try {
            createNode("", "");
            return createNode(name, text);
        } catch (Exception e) {
            throw unreachable("create", name, e);
        }
    }

    private boolean createNode(String name, String text) throws Exception {
        try {
            zooKeeper.create().creatingParentsIfNeeded().withACL(auth.rights(name))
                    .forPath(path(connect, name), text.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false; // it was there, or another manager was faster
        }
    }

    /** Takes a node over that others have rights on. Does nothing where there is no such node. */
    private void secure(String name) throws Exception {
        if (auth.isNone() || secured.contains(name)) {
            return;
        }
        if (auth.isTooOpen(name, zooKeeper.getACL().forPath(path(connect, name)))) {
            zooKeeper.setACL().withACL(auth.rights(name)).forPath(path(connect, name));
        }
        secured.add(name);
    }

    /** The names of all objects; none in a new system. */
    public List<String> names() throws UnreachableException {
        try {
            return zooKeeper.getChildren().forPath(path(connect, ""));
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (Exception e) {
            throw unreachable("list", "", e);
        }
    }

    @Override
    public int compareAndSet(String name, String text, int version) throws UnreachableException {
        try {
            return zooKeeper.setData().withVersion(version).forPath(path(connect, name), text.getBytes(StandardCharsets.UTF_8))
                    .getVersion();
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            return -1;
        } catch (Exception e) {
            throw unreachable("write", name, e);
        }
    }

    private UnreachableException unreachable(String verb, String name, Exception cause) {
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        if (cause instanceof KeeperException.NoAuthException) {
            return new UnreachableException("ZooKeeper does not let us " + verb + " " + path(connect, name)
                    + ", which belongs to others: give the transaction managers' credentials by --zookeeper-auth.", cause);
        }
        if (cause instanceof KeeperException.ConnectionLossException) {
            return new UnreachableException("ZooKeeper at " + connect + " cannot be reached.", cause);
        }
        if (cause instanceof KeeperException.SessionExpiredException) {
            return new UnreachableException("The session with ZooKeeper at " + connect + " has expired.", cause);
        }
        return new UnreachableException("ZooKeeper at " + connect + " failed to " + verb + " " + path(connect, name) + ": " + cause + ".", cause);
    }

    @Override
    public void close() {
        zooKeeper.close();
    }
}
