package org.fencepost.tm.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.server.StateCommand;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** On a real ZooKeeper: nobody but the transaction managers reads or changes their nodes, and what is saved can be restored. */
class ZooKeeperAuthTest {

    @TempDir
    static Path directory;
    private static TestZooKeeper zooKeeper;
    private static Path secret;

    private final List<AutoCloseable> resources = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
        secret = Files.writeString(directory.resolve("secret"), "fencepost:long and secret\n");
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

    private <T extends AutoCloseable> T closing(T resource) {
        resources.add(resource);
        return resource;
    }

    private ZooKeeperObjects objects(String path, ZooKeeperAuth auth) {
        return closing(new ZooKeeperObjects(zooKeeper.address() + path, auth));
    }

    /** Anybody who reaches ZooKeeper. */
    private CuratorFramework anybody() {
        return closing(ZooKeeperObjects.connect(zooKeeper.address(), ZooKeeperAuth.NONE));
    }

    private static void assertNoAuth(Executable attempt) {
        assertThrows(KeeperException.NoAuthException.class, attempt);
    }

    private void assertClosed(String path) {
        CuratorFramework anybody = anybody();
        String maxTs = path + "/fencepost/maxTS";
        String lease = path + "/fencepost/lease";
        byte[] zero = "1 mallory".getBytes(StandardCharsets.UTF_8);
        assertNoAuth(() -> anybody.setData().forPath(maxTs, zero));
        assertNoAuth(() -> anybody.getData().forPath(maxTs));
        assertNoAuth(() -> anybody.delete().forPath(maxTs));
        assertNoAuth(() -> anybody.setACL().withACL(ZooDefs.Ids.OPEN_ACL_UNSAFE).forPath(maxTs));
        assertNoAuth(() -> anybody.setData().forPath(lease, zero));
        assertNoAuth(() -> anybody.delete().forPath(lease));
        assertNoAuth(() -> anybody.create().forPath(path + "/fencepost/identity2"));
        assertNoAuth(() -> anybody.getChildren().forPath(path + "/fencepost"));
    }

    @Test
    void nodesAreTheManagersAlone() throws Exception {
        TmProcess first = closing(new TmProcess(zooKeeper.address() + "/closed", "--zookeeper-auth", secret.toString()));
        RemoteTransactionManager client = closing(new RemoteTransactionManager(
                new RemoteTransactionManager.Settings(zooKeeper.address() + "/closed", 30_000, 1_000, 100, null)));
        long before = client.begin();
        assertClosed("/closed");
        assertTrue(new String(anybody().getData().forPath("/closed/fencepost/lease"), StandardCharsets.UTF_8).contains("127.0.0.1:" + first.port()));
        first.kill();
        closing(new TmProcess(zooKeeper.address() + "/closed", "--zookeeper-auth", secret.toString()));
        assertTrue(client.begin() > before, "the backup has the same rights");
    }

    @Test
    void openNodesAreTakenOver() throws Exception {
        try (TmProcess open = new TmProcess(zooKeeper.address() + "/open");
                RemoteTransactionManager client = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper.address() + "/open"))) {
            assertTrue(open.isAlive() && client.begin() > 0);
        }
        anybody().getData().forPath("/open/fencepost/maxTS");
        ZooKeeperObjects owner = objects("/open", ZooKeeperAuth.of(secret.toString()));
        assertTrue(EpochRecord.parse(owner.read(SharedObjects.MAX_TS).text()).limit() > 0);
        owner.read(SharedObjects.LEASE);
        assertClosed("/open");
        assertFalse(LeaseRecord.parse(new String(anybody().getData().forPath("/open/fencepost/lease"), StandardCharsets.UTF_8)).owner().isEmpty());
        UnreachableException e = assertThrows(UnreachableException.class, () -> objects("/open", ZooKeeperAuth.NONE).read(SharedObjects.MAX_TS));
        assertTrue(e.getMessage().contains("which belongs to others: give the transaction managers' credentials by --zookeeper-auth"), e.getMessage());
    }

    // ---- backup

    private static int state(String path, String verb, Path file) {
        return new CommandLine(new StateCommand()).execute("--zookeeper", zooKeeper.address() + path, "--zookeeper-auth", secret.toString(), verb, file.toString());
    }

    /** All but the clock: that is told by the managers' own words. */
    @Test
    void whatIsSavedIsRestoredWhereItIsMissing() throws Exception {
        ZooKeeperObjects saved = objects("/saved", ZooKeeperAuth.of(secret.toString()));
        set(saved, SharedObjects.MAX_TS, "6400 one");
        set(saved, "identity", "the-system");
        set(saved, "ledgers", "one known-from 0 ledgers 3 4");
        set(saved, SharedObjects.LEASE, "one 127.0.0.1:1 lease-ms 1000 drift-ms 10 renewals 1 epoch 0");
        Path file = directory.resolve("state");
        assertEquals(0, state("/saved", "save", file));
        assertEquals(List.of("fencepost-state 1", "identity the-system", "ledgers one known-from 0 ledgers 3 4", "maxTS 6400 one"), Files.readAllLines(file));
        assertEquals(2, state("/saved", "save", file), "overwritten");

        assertEquals(0, state("/restored", "restore", file));
        ZooKeeperObjects restored = objects("/restored", ZooKeeperAuth.of(secret.toString()));
        assertEquals("the-system", restored.read("identity").text());
        assertEquals("one known-from 0 ledgers 3 4", restored.read("ledgers").text());
        assertEquals("", restored.read(SharedObjects.MAX_TS).text(), "an old clock was set");
        assertClosed("/saved");
    }

    @Test
    void nothingIsRestoredOverSomethingElse() throws Exception {
        Path file = Files.writeString(directory.resolve("other"), "fencepost-state 1\nidentity one\nmaxTS 6400 one\n");
        ZooKeeperObjects present = objects("/present", ZooKeeperAuth.of(secret.toString()));
        set(present, SharedObjects.MAX_TS, "9000 two");
        assertEquals(0, state("/present", "restore", file), "a later clock stays");
        assertEquals("9000 two", present.read(SharedObjects.MAX_TS).text());
        assertEquals("one", present.read("identity").text());
        assertEquals(0, state("/present", "restore", file), "once more, where nothing is missing");
        assertEquals(1, state("/present", "restore", Files.writeString(directory.resolve("foreign"), "fencepost-state 1\nidentity two\n")));
        assertEquals(1, state("/present", "restore", Files.writeString(directory.resolve("later"), "fencepost-state 1\nmaxTS 9001 one\n")));
        assertEquals("one", present.read("identity").text());
        assertEquals(1, state("/nothing", "save", directory.resolve("nothing")));
    }

    @Test
    void filesOfSomethingElseAreRefused() throws Exception {
        for (String text : List.of("", "maxTS 1 one\n", "fencepost-state 1\nmaxTS\n", "fencepost-state 1\n../maxTS 1 one\n", "fencepost-state 1\nmaxTS one\n",
                "fencepost-state 1\nidentity a\nidentity b\n")) {
            assertEquals(2, state("/garbage", "restore", Files.writeString(directory.resolve("garbage"), text)), text);
        }
        assertEquals(2, state("/garbage", "restore", directory.resolve("no such file")));
    }

    private static void set(ZooKeeperObjects objects, String name, String text) throws UnreachableException {
        assertTrue(objects.compareAndSet(name, text, objects.read(name).version()) > 0);
    }
}
