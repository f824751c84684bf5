package org.fencepost.tm.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in ZooKeeper is read back as written, or refused. */
class RecordsTest {

    @Test
    void recordsAreReadBack() {
        LeaseRecord lease = new LeaseRecord("a-b-c", "host:1", 2000, 200, 17, 123_456);
        assertEquals(lease, LeaseRecord.parse(lease.text()));
        EpochRecord epoch = new EpochRecord(123_456, "a-b-c", 60_000);
        assertEquals(epoch, EpochRecord.parse(epoch.text()));
    }

    @Test
    void recordsOfOlderVersionsAreRead() {
        EpochRecord epoch = EpochRecord.parse("123456 a-b-c");
        assertEquals(new EpochRecord(123_456, "a-b-c", EpochRecord.UNKNOWN), epoch);
        assertEquals("123456 a-b-c", epoch.text());
    }

    @Test
    void nothingMeansNobodyYet() {
        assertNull(LeaseRecord.parse(""));
        assertEquals(0, EpochRecord.parse("").limit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", " ", "o h:1 lease-ms 0 drift-ms 0 renewals 1 epoch 1", "o h:1 lease-ms 1 drift-ms -1 renewals 1 epoch 1",
            "o h:1 lease-ms x drift-ms 1 renewals 1 epoch 1", "o h:1 lease-ms 1 drift-ms 1 renewals 1", "o h:1 lease-ms 1 drift-ms 1 renewals 1 epoch 1 more"})
    void anyOtherLeaseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> LeaseRecord.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "-1 owner", "0 owner", "1 owner more", "99999999999999999999 owner",
            "1 owner lifetime-ms -1", "1 owner lifetime-ms", "1 owner lifetime-ms 1 more"})
    void anyOtherEpochIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> EpochRecord.parse(text));
    }
}
