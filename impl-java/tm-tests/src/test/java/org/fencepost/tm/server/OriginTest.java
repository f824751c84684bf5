package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.Await;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.failover.Origin;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.server.ZooKeeperOrigin.Recovery;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.ZooKeeperAuth;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of a system of transaction managers when ZooKeeper has lost something, has an old copy, or is the wrong one. On a real
 * ZooKeeper: each test has its own path in it.
 */
class OriginTest {

    private static final long LEAP = 2048;
    private static final long EPOCH_LENGTH = 1000 * LEAP;
    private static final LongSupplier NOW = System::currentTimeMillis;
    private static final AtomicInteger PATHS = new AtomicInteger();

    @TempDir
    static Path directory;
    private static TestZooKeeper zooKeeper;

    private final String chroot = newChroot();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final Map<String, ZooKeeperObjects> objects = new HashMap<>();

    @BeforeAll
    static void start() throws IOException {
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
    }

    @AfterAll
    static void stop() {
        zooKeeper.close();
    }

    @AfterEach
    void closeResources() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private static String newChroot() {
        return "/origin-" + PATHS.incrementAndGet();
    }

    private <T extends AutoCloseable> T closing(T resource) {
        resources.add(resource);
        return resource;
    }

    private ZooKeeperObjects objects(String path) {
        return objects.computeIfAbsent(path, p -> closing(new ZooKeeperObjects(zooKeeper.address() + p, ZooKeeperAuth.NONE)));
    }

    private String text(String name) throws SharedObjects.UnreachableException {
        return objects(chroot).find(name).text();
    }

    private ZooKeeperOrigin origin(Floor floor, Recovery recovery, LongSupplier wallMillis) {
        return new ZooKeeperOrigin(objects(chroot), LEAP, floor, recovery, wallMillis);
    }

    private ZooKeeperOrigin origin() {
        return origin(Floor.NONE, Recovery.NONE, NOW);
    }

    private static void assertRefused(Origin origin, String... parts) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> {
            for (int i = 0; i < 5; i++) {
                try {
                    origin.ground();
                    return;
                } catch (SharedObjects.UnreachableException busy) { // so it asks again
                    Await.sleep(200);
                }
            }
        });
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        assertTrue(e.getMessage().endsWith("."), e.getMessage());
    }

    private void delete(String name) throws Exception {
        try (CuratorFramework client = ZooKeeperObjects.connect(zooKeeper.address(), ZooKeeperAuth.NONE)) {
            client.delete().forPath(ZooKeeperObjects.path(zooKeeper.address() + chroot, name));
        }
    }

    private void put(String name, String text) throws Exception {
        try (CuratorFramework client = ZooKeeperObjects.connect(zooKeeper.address(), ZooKeeperAuth.NONE)) {
            client.create().orSetData().creatingParentsIfNeeded().forPath(ZooKeeperObjects.path(zooKeeper.address() + chroot, name),
                    text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A primary on the real ZooKeeper, as far as its first epoch; stepped by the test. */
    private final class Primary implements HighAvailability.Host {

        private final HighAvailability availability;
        private Tenure tenure;

        Primary(Origin origin, long lifetimeMillis) {
            availability = new HighAvailability(new HighAvailability.Settings(UUID.randomUUID().toString(), "host:1", 300, 0, EPOCH_LENGTH,
                    new TransactionManagerCore.Settings(LEAP, 64, TimeUnit.MILLISECONDS.toNanos(lifetimeMillis), 64)), origin, objects(chroot),
                    TmServer.MONOTONIC, this, () -> {}, Tracer.OFF);
        }

        Tenure tenure() {
            while (tenure == null) {
                long nanos;
                try {
                    nanos = availability.step();
                } catch (SharedObjects.UnreachableException e) { // on a busy machine; as the process does
                    nanos = availability.retryNanos();
                }
                Await.sleep(TimeUnit.NANOSECONDS.toMillis(nanos));
            }
            return tenure;
        }

        @Override
        public void serve(Tenure next) {
            tenure = next;
        }

        @Override
        public void halt(Tenure over, String why) {
            tenure = null;
        }
    }

    // ---- new systems

    @Test
    void aNewSystemBeginsAtTheTime() throws Exception {
        long before = Math.multiplyExact(NOW.getAsLong(), 1_000_000L);
        Primary primary = new Primary(origin(), 60_000);
        long epoch = primary.tenure().epoch();
        assertTrue(epoch >= before && epoch <= (NOW.getAsLong() + 1) * 1_000_000, "it begins at " + epoch);
        assertTrue(primary.tenure().begin(System.nanoTime()) >= epoch);
        assertEquals(primary.tenure().begin(System.nanoTime()) - LEAP, primary.tenure().collectableBelow(System.nanoTime()),
                "nobody began before: nothing is held");
        assertEquals(primary.tenure().identity(), text("identity"));
    }

    @Test
    void identityAndTimestampsGoOnFromPrimaryToPrimary() throws Exception {
        Tenure first = new Primary(origin(), 60_000).tenure();
        Tenure second = new Primary(origin(), 60_000).tenure();
        assertEquals(first.identity(), second.identity());
        assertEquals(first.durableLimit(), second.epoch());
    }

    /** Only the first manager of all looks at the wall clock. */
    @Test
    void wallClocksThatJumpBackDoNotMatter() throws Exception {
        long epoch = new Primary(origin(), 60_000).tenure().epoch();
        LongSupplier longAgo = () -> 0;
        assertTrue(new Primary(origin(Floor.NONE, Recovery.NONE, longAgo), 60_000).tenure().epoch() > epoch);
    }

    @Test
    void aClockThatWasNeverSetBeginsNoSystem() throws Exception {
        assertRefused(origin(Floor.NONE, Recovery.NONE, () -> Instant.parse("2023-12-31T23:59:59Z").toEpochMilli()), "before 2024", "set the clock");
        assertNull(objects(chroot).find("maxTS"), "nothing was written");
        assertTrue(origin(Floor.NONE, Recovery.NONE, () -> Instant.parse("2024-01-01T00:00:00Z").toEpochMilli()).ground().maxTs() > 0);
    }

    @Test
    void whoDiesWhileASystemBeginsHasLostNothing() throws Exception {
        origin().ground();
        long maxTs = EpochRecord.parse(text("maxTS")).limit();
        delete("identity"); // as if it had died before it wrote that
        Origin.Ground ground = origin().ground();
        assertEquals(maxTs, ground.maxTs());
        assertEquals(ground, origin().ground());
    }

    @Test
    void twoThatBeginTogetherAgree() throws Exception {
        List<Origin.Ground> grounds = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ZooKeeperOrigin origin = origin();
            threads.add(new Thread(() -> {
                Origin.Ground ground = null;
                while (ground == null) {
                    try {
                        ground = origin.ground();
                    } catch (SharedObjects.UnreachableException e) {
                        // another was faster
                    }
                }
                synchronized (grounds) {
                    grounds.add(ground);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1, grounds.stream().distinct().count(), grounds.toString());
    }

    /** Those of version 1 have no identity, and maxTS without a lifetime. */
    @Test
    void systemsOfOlderVersionsGoOnWhereTheyAre() throws Exception {
        put("maxTS", "640000 some-process");
        put("lease", "some-process host:1 lease-ms 1 drift-ms 0 renewals 7 epoch 64000");
        Tenure tenure = new Primary(origin(), 1_000).tenure();
        assertEquals(640_000, tenure.epoch());
        UUID.fromString(tenure.identity());
        long now = System.nanoTime();
        tenure.end(tenure.begin(now));
        assertEquals(1, tenure.collectableBelow(now + TimeUnit.MINUTES.toNanos(4)), "clients of the older version may live for five minutes");
    }

    // ---- what was lost

    @Test
    void aDeletedMaxTsIsNoNewSystem() throws Exception {
        Tenure first = new Primary(origin(), 60_000).tenure();
        delete("maxTS");
        assertRefused(origin(), "maxTS is missing in ZooKeeper", first.identity(), "restore it", "--recover-from");
        put("maxTS", "");
        assertRefused(origin(), "maxTS is missing in ZooKeeper");
        long above = first.durableLimit() + 5;
        Tenure recovered = new Primary(origin(Floor.NONE, new Recovery(above, null), NOW), 60_000).tenure();
        assertEquals(above, recovered.epoch());
        assertEquals(first.identity(), recovered.identity());
        long now = System.nanoTime();
        assertTrue(recovered.begin(now) >= above);
        assertEquals(1, recovered.collectableBelow(now), "transactions from before may be active");
    }

    @Test
    void aPrimaryWhoseMaxTsIsDeletedStops() throws Exception {
        Primary primary = new Primary(origin(), 60_000);
        Tenure tenure = primary.tenure();
        delete("maxTS");
        for (int i = 0; i < 2000; i++) {
            tenure.begin(System.nanoTime()); // until the epoch is used up
        }
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> {
            for (int i = 0; i < 1000; i++) {
                Await.sleep(TimeUnit.NANOSECONDS.toMillis(primary.availability.step()));
            }
        });
        assertTrue(e.getMessage().contains("maxTS is missing"), e.getMessage());
    }

    @Test
    void anOlderMaxTsIsRefused() throws Exception {
        Primary primary = new Primary(origin(), 60_000);
        primary.tenure();
        String old = text("maxTS");
        long seen = new Primary(origin(), 60_000).tenure().durableLimit();
        put("maxTS", old);
        put("lease", ""); // restored, too: the lease's epoch does not tell
        Floor tables = identity -> seen;
        assertRefused(origin(tables, Recovery.NONE, NOW), "the tables have timestamps up to " + seen, "--recover-from " + seen);
        assertEquals(old, text("maxTS"), "nothing was written");
        assertTrue(new Primary(origin(tables, new Recovery(seen, null), NOW), 60_000).tenure().epoch() >= seen);
    }

    /** The lease tells where the last epoch began. */
    @Test
    void anOlderMaxTsBesideAYoungerLeaseIsRefused() throws Exception {
        new Primary(origin(), 60_000).tenure();
        String old = text("maxTS");
        Primary second = new Primary(origin(), 60_000);
        String epoch = " epoch " + second.tenure().epoch();
        Await.until("its first renewal tells its epoch", 20_000, () -> {
            try {
                second.availability.step();
                return text("lease").endsWith(epoch);
            } catch (SharedObjects.UnreachableException e) {
                throw new AssertionError(e);
            }
        });
        put("maxTS", old.replaceAll("^\\d+", "1000000"));
        Primary third = new Primary(origin(), 60_000);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, third::tenure);
        assertTrue(e.getMessage().contains("although it was") && e.getMessage().contains("--recover-from"), e.getMessage());
    }

    /** A typo in --zookeeper: the system there is new, and the tables belong to another. */
    @Test
    void theWrongChrootIsNotServed() throws Exception {
        String own = new Primary(origin(), 60_000).tenure().identity();
        Floor tables = identity -> {
            if (!identity.equals(own)) {
                throw new IllegalArgumentException("The tables belong to " + own + ", not to " + identity + ".");
            }
            return 0;
        };
        String typo = newChroot();
        assertRefused(new ZooKeeperOrigin(objects(typo), LEAP, tables, Recovery.NONE, NOW), "The tables belong to " + own);
        assertNull(objects(typo).find("maxTS"), "nothing was written");
        assertNull(objects(typo).find("identity"), "nothing was written");
        assertEquals(own, origin(tables, Recovery.NONE, NOW).ground().identity());
    }

    /** All of ZooKeeper is lost, and the tables know to whom they belong. */
    @Test
    void aLostZooKeeperIsRecoveredByIdentityAndTimestamp() throws Exception {
        Origin.Ground ground = origin(Floor.NONE, new Recovery(2_000_000_000_000_000_000L, "3e2f-old"), NOW).ground();
        assertEquals(new Origin.Ground("3e2f-old", 2_000_000_000_000_000_000L), ground);
        assertEquals(ground, origin(Floor.NONE, new Recovery(2_000_000_000_000_000_000L, "another"), NOW).ground(), "who it is stays");
        assertEquals(ground, origin(Floor.NONE, new Recovery(1, null), NOW).ground(), "it never sinks");
    }

    @Test
    void recoveryIsAskedForInFull() {
        assertThrows(IllegalArgumentException.class, () -> new Recovery(-1, null));
        assertThrows(IllegalArgumentException.class, () -> new Recovery(0, "only-the-name"));
        assertThrows(IllegalArgumentException.class, () -> new Recovery(1, "two words"));
    }

    @Test
    void foreignTextsAreRefused() throws Exception {
        put("identity", "no such\nname");
        put("maxTS", "1000000 owner");
        assertRefused(origin(), "is no identity");
        put("identity", "good");
        put("maxTS", "garbage");
        assertRefused(origin(), "which no transaction manager wrote");
    }

    // ---- how long timestamps last

    @Test
    void theLastDayIsNotBegun() throws Exception {
        long day = TimeUnit.DAYS.toSeconds(1) * TimestampSupply.PER_SECOND * LEAP;
        put("maxTS", Long.MAX_VALUE - day + LEAP * TimestampSupply.PER_SECOND + " owner");
        assertRefused(origin(), "last less than a day", "smaller --leap");
        put("maxTS", Long.MAX_VALUE - day - LEAP * TimestampSupply.PER_SECOND + " owner");
        assertEquals(1, TimestampSupply.seconds(origin().ground().maxTs(), LEAP) / TimeUnit.DAYS.toSeconds(1));
    }

    @Test
    void theDefaultLeapLastsACentury() {
        long from = TimestampSupply.first(Instant.parse("2026-11-23T00:00:00Z").toEpochMilli(), LEAP);
        assertEquals("115 years", TimestampSupply.text(from, LEAP));
        assertEquals("3678 years", TimestampSupply.text(from, 64));
        assertEquals("81 days", TimestampSupply.text(from, 1 << 20));
        assertEquals(0, from % LEAP);
        assertThrows(IllegalArgumentException.class, () -> TimestampSupply.requireADay(1 << 28));
    }

    // ---- lifetimes

    /** Its predecessor's transactions live as long as it told them. */
    @Test
    void aNewPrimaryWithAShorterLifetimeWaitsForThoseWhoBeganBefore() throws Exception {
        new Primary(origin(), 60_000).tenure();
        Tenure second = new Primary(origin(), 1_000).tenure();
        long now = System.nanoTime();
        second.end(second.begin(now));
        assertEquals(1, second.collectableBelow(now + TimeUnit.SECONDS.toNanos(59)));
        Tenure third = new Primary(origin(), 1_000).tenure();
        now = System.nanoTime();
        third.end(third.begin(now));
        assertEquals(1, third.collectableBelow(now + TimeUnit.SECONDS.toNanos(58)), "the first one's are still alive");
        assertTrue(third.collectableBelow(now + TimeUnit.SECONDS.toNanos(62)) > 1);
    }

    @Test
    void whenTheLongerLifetimeIsOverItIsForgotten() throws Exception {
        new Primary(origin(), 1_500).tenure();
        Primary second = new Primary(origin(), 500);
        assertTrue(text("maxTS").endsWith(" lifetime-ms 1500"));
        second.tenure();
        assertTrue(text("maxTS").endsWith(" lifetime-ms 1500"));
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_700);
        while (System.nanoTime() < end) {
            second.availability.step();
            second.tenure();
            Await.sleep(5);
        }
        for (int i = 0; i < 2000; i++) {
            second.tenure().begin(System.nanoTime());
            second.availability.step();
        }
        assertTrue(text("maxTS").endsWith(" lifetime-ms 500"));
    }
}
