package org.fencepost.conformance.failover;

import java.util.HashMap;
import java.util.Map;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;

/** The two objects by which transaction managers agree. Each method is one atomic step. */
final class ZooKeeper {

    /** Where timestamps begin: all of the specification's are counted from here. */
    static final long BASE = 1000;
    static final String NOBODY = "nobody";

    private final Map<String, Versioned> objects = new HashMap<>();

    ZooKeeper() {
        objects.put(SharedObjects.MAX_TS, new Versioned(BASE + " " + NOBODY, 0));
        objects.put(SharedObjects.LEASE, new Versioned("", 0));
    }

    Versioned read(String object) {
        return objects.get(object);
    }

    /** The new version; -1 if the version was another. */
    int compareAndSet(String object, String text, int version) {
        if (read(object).version() != version) {
            return -1;
        }
        objects.put(object, new Versioned(text, version + 1));
        return version + 1;
    }

    EpochRecord maxTs() {
        return EpochRecord.parse(read(SharedObjects.MAX_TS).text());
    }

    /** Null: nobody has held it. */
    LeaseRecord lease() {
        return LeaseRecord.parse(read(SharedObjects.LEASE).text());
    }
}
