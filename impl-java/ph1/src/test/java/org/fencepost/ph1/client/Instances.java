package org.fencepost.ph1.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fencepost.ph1.Ports;
import org.fencepost.ph1.group.GroupSettings;
import org.fencepost.ph1.store.GenerationLog;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.ph1.UnversionedStore;
import org.fencepost.tm.client.RemoteTransactionManager;

/** Instances of the middleware in this JVM, over loopback. Thread-safe. */
final class Instances implements AutoCloseable {

    private final String zooKeeper;
    private final Supplier<UnversionedStore<Key, ByteBuffer>> stores;
    private final Supplier<GenerationLog> logs;
    private final List<InetSocketAddress> addresses;
    private final List<PH1Client> clients = new ArrayList<>();

    /** Starts them; returns when all are in one view. */
    Instances(int count, String zooKeeper, Supplier<UnversionedStore<Key, ByteBuffer>> stores, Supplier<GenerationLog> logs) throws IOException {
        this.zooKeeper = zooKeeper;
        this.stores = stores;
        this.logs = logs;
        this.addresses = Ports.free(count);
        for (int place = 0; place < count; place++) {
            start(place);
        }
        until(() -> clients.stream().allMatch(client -> client.instances() == count));
    }

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within a minute");
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** At a place where none is, or where one has been stopped. */
    synchronized void start(int place) {
        GroupSettings group = new GroupSettings("test", addresses.get(place), addresses, 1_000, 1_000);
        PH1Client client = PH1Client.open(new PH1Client.Settings(group, RemoteTransactionManager.Settings.of(zooKeeper), 20_000, 100, 1_000, 60_000),
                stores.get(), logs.get());
        if (place < clients.size()) {
            clients.set(place, client);
        } else {
            clients.add(client);
        }
    }

    synchronized PH1Client get(int place) {
        return clients.get(place);
    }

    @Override
    public synchronized void close() {
        clients.forEach(PH1Client::close);
    }
}
