package org.fencepost.tm.client;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.ZooKeeperAuth;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;

/** Asks ZooKeeper who holds the lease. */
final class PrimaryFinder implements AutoCloseable {

    private final CuratorFramework zooKeeper;
    private final String connect;
    private final String path;

    PrimaryFinder(String connect) {
        this.connect = connect;
        this.path = ZooKeeperObjects.path(connect, SharedObjects.LEASE);
        this.zooKeeper = ZooKeeperObjects.connect(connect, ZooKeeperAuth.NONE);
    }

    /** Calls one of the two, on a thread of ZooKeeper's, at some time or never. */
    void find(Consumer<String> address, Consumer<String> problem) {
        try {
            zooKeeper.getData().inBackground((client, event) -> {
                KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
                if (code == KeeperException.Code.OK) {
                    tell(new String(event.getData(), StandardCharsets.UTF_8), address, problem);
                } else if (code == KeeperException.Code.NONODE) {
                    problem.accept("no transaction manager has ever run under this ZooKeeper address");
                } else {
                    problem.accept("ZooKeeper at " + connect + " did not answer: " + code);
                }
            }).forPath(path);
        } catch (Exception e) {
            problem.accept("ZooKeeper at " + connect + " did not answer: " + e);
        }
    }

    private static void tell(String text, Consumer<String> address, Consumer<String> problem) {
        LeaseRecord holder;
        try {
            holder = LeaseRecord.parse(text);
        } catch (IllegalArgumentException e) {
            problem.accept(e.getMessage());
            return;
        }
        if (holder == null) {
            problem.accept("no transaction manager has become primary yet");
        } else {
            address.accept(holder.address());
        }
    }

    @Override
    public void close() {
        zooKeeper.close();
    }
}
