package org.fencepost.simulation.failover;

import java.util.HashMap;
import java.util.Map;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;

/** The state of ZooKeeper: the two objects by which transaction managers agree. Each method is one atomic step. */
final class ZooKeeperServer {

    private final Map<String, Versioned> objects = new HashMap<>();
    private final EventLog log;
    private final Judge judge;

    ZooKeeperServer(EventLog log, Judge judge) {
        this.log = log;
        this.judge = judge;
    }

    Versioned read(String name) {
        return objects.getOrDefault(name, new Versioned("", 0));
    }

    /** The new version; -1 if the version was another. */
    int compareAndSet(String name, String text, int version) {
        Versioned present = read(name);
        if (present.version() != version) {
            return -1;
        }
        log.change("ZooKeeper", name, name, present.text(), text);
        if (name.equals(SharedObjects.MAX_TS)) {
            judge.swapped(EpochRecord.parse(present.text()), EpochRecord.parse(text));
        }
        objects.put(name, new Versioned(text, version + 1));
        if (name.equals(SharedObjects.MAX_TS)) {
            log.server("SwapMaxTs", "tm", EpochRecord.parse(text).owner(), "limit", EpochRecord.parse(text).limit());
        } else {
            log.server("WriteLease", "tm", LeaseRecord.parse(text).owner(), "version", version + 1);
        }
        return version + 1;
    }

    /** Where clients find the primary; null if there has been none yet. */
    String primary() {
        LeaseRecord holder = LeaseRecord.parse(read(SharedObjects.LEASE).text());
        return holder == null ? null : holder.address();
    }
}
