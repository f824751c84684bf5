package org.fencepost.tm.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
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

    /** Its address, host:port. Throws IOException, with why in a clause, if there is none, or ZooKeeper does not answer in time. */
    String find(long millis) throws IOException, InterruptedException {
        CompletableFuture<String> address = new CompletableFuture<>();
        try {
            zooKeeper.getData().inBackground((client, event) -> answer(event, address)).forPath(path);
            return address.get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw e;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException("ZooKeeper at " + connect + " did not answer within " + millis + " ms", e);
        } catch (Exception e) { // which Curator declares
            throw new IOException("ZooKeeper at " + connect + " did not answer: " + e, e);
        }
    }

    private void answer(CuratorEvent event, CompletableFuture<String> address) {
        KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
        if (code == KeeperException.Code.OK) {
            try {
                address.complete(addressIn(event.getData()));
            } catch (IOException e) {
                address.completeExceptionally(e);
            }
        } else if (code == KeeperException.Code.NONODE) {
            address.completeExceptionally(new IOException("no transaction manager has ever run under this ZooKeeper address"));
        } else {
            address.completeExceptionally(new IOException("ZooKeeper at " + connect + " did not answer: " + code));
        }
    }

    private static String addressIn(byte[] data) throws IOException {
        LeaseRecord holder;
        try {
            holder = LeaseRecord.parse(new String(data, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (holder == null) {
            throw new IOException("no transaction manager has become primary yet");
        }
        return holder.address();
    }

    @Override
    public void close() {
        zooKeeper.close();
    }
}
