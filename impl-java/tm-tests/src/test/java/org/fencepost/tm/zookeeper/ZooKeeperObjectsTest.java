package org.fencepost.tm.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ZooKeeperObjectsTest {

    /** Nothing listens on port 1. */
    @Test
    void whereThereIsNoZooKeeperItsAddressIsNamed() {
        try (ZooKeeperObjects objects = new ZooKeeperObjects("127.0.0.1:1/here", ZooKeeperAuth.of(null))) {
            assertEquals("ZooKeeper at 127.0.0.1:1/here cannot be reached.",
                    assertThrows(SharedObjects.UnreachableException.class, () -> objects.read("lease")).getMessage());
        }
    }
}
