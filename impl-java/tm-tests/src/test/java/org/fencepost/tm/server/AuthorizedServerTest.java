package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.tm.Await;
import org.fencepost.tm.Certificates;
import org.fencepost.tm.JavaProcess;
import org.fencepost.tm.RawClient;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.fencepost.tm.client.NotServedException;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A real server process with TLS and --authorize: who may do what, and how much. */
class AuthorizedServerTest {

    private static final String ROLES = "client CN=orders\nregion-server CN=rs-*\noperator CN=alice\n";
    private static final int CONNECTIONS_PER_CLIENT = 5;

    @TempDir
    static Path directory;
    private static TestZooKeeper zooKeeper;
    private static Certificates certificates;
    private static Path roles;
    private static TmProcess server;
    private static TlsFiles ordersFiles;
    private static RemoteTransactionManager orders;

    private final List<AutoCloseable> resources = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
        certificates = new Certificates(directory);
        roles = Files.writeString(directory.resolve("roles"), ROLES);
        TlsFiles own = certificates.signed("server", "ip:127.0.0.1");
        server = new TmProcess(zooKeeper.address(), "--lease-ms", "60000", "--tls-cert", own.certificate().toString(), "--tls-key", own.key().toString(),
                "--tls-ca", own.authority().toString(), "--authorize", roles.toString(), "--max-connections-per-client",
                Integer.toString(CONNECTIONS_PER_CLIENT), "--max-handshakes", "20");
        ordersFiles = certificates.signed("orders", "dns:orders");
        orders = connect(ordersFiles);
    }

    @AfterAll
    static void stop() {
        orders.close();
        server.close();
        zooKeeper.close();
    }

    @AfterEach
    void closeResources() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private static RemoteTransactionManager connect(TlsFiles files) {
        return new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address(), 30_000, 5_000, 1_000, files));
    }

    private <T extends AutoCloseable> T closing(T resource) {
        resources.add(resource);
        return resource;
    }

    private RemoteTransactionManager as(String name) throws Exception {
        return closing(connect(certificates.signed(name, "dns:" + name)));
    }

    private static void assertForbidden(Executable request) {
        NotServedException e = assertThrows(NotServedException.class, request);
        assertTrue(e.getMessage().contains("has not given this client's certificate the role"), e.getMessage());
    }

    @Test
    void clientsRunTransactionsAndNoMore() {
        long startTs = orders.begin();
        assertTrue(orders.commit(startTs, new long[] {1}) > startTs);
        assertForbidden(orders::collectableBelow);
        assertForbidden(() -> orders.fence(1));
        assertNotNull(orders.conditionAsync().join());
        orders.end(orders.begin());
        assertTrue(orders.begin() > startTs, "the connection is none the worse");
    }

    @Test
    void regionServersAskForTimeAndWatermarkAndNoMore() throws Exception {
        RemoteTransactionManager regionServer = as("rs-1");
        long startTs = regionServer.begin();
        regionServer.end(startTs);
        assertForbidden(() -> regionServer.commit(startTs, new long[] {1}));
        assertForbidden(() -> regionServer.fence(1));
        assertTrue(regionServer.collectableBelow() > 0, "who keeps a commit table bounds its watermark");
        assertForbidden(() -> new RemoteOracle(regionServer).begin(false));
        assertNotNull(regionServer.conditionAsync().join());
        assertTrue(regionServer.begin() > startTs, "the connection is none the worse");
    }

    @Test
    void operatorsDoEverything() throws Exception {
        RemoteTransactionManager alice = as("alice");
        long startTs = alice.begin();
        assertTrue(alice.commit(startTs, new long[] {2}) > startTs);
        assertTrue(alice.fence(1) > startTs);
        assertTrue(alice.collectableBelow() > 0);
    }

    /** At once, and not after all tries. */
    @Test
    void whoIsNotListedIsToldSo() throws Exception {
        RemoteTransactionManager mallory = as("mallory");
        long before = System.nanoTime();
        NotServedException e = assertThrows(NotServedException.class, mallory::begin);
        assertTrue(e.getMessage().contains("its operator has not listed CN=mallory (--authorize)"), e.getMessage());
        assertTrue(System.nanoTime() - before < 10_000_000_000L, "after all tries");
    }

    /** A request without an answer closes the connection. */
    @Test
    void whatHasNoAnswerIsRefusedByClosing() throws Exception {
        RawClient regionServer = closing(new RawClient(server.port(), certificates.signed("rs-2", "dns:rs-2")));
        assertEquals(Wire.WELCOME, regionServer.hello());
        regionServer.write(new byte[] {0, 0, 0, 9, Wire.TX_COMMIT, 0, 0, 0, 0, 0, 0, 0, 1});
        String goodbye = new String(regionServer.readFrame(), StandardCharsets.UTF_8);
        assertTrue(goodbye.contains("which its operator does not let CN=rs-2 send"), goodbye);
        assertNull(regionServer.readFrame());
    }

    @Test
    void rightsFollowTheFile() throws Exception {
        RemoteTransactionManager late = as("late");
        assertThrows(NotServedException.class, late::begin);
        try {
            Files.writeString(roles, ROLES + "client CN=late\n");
            Await.until("listed", 20_000, () -> serves(late));
            Files.writeString(roles, ROLES + "reader CN=late\n");
            Await.sleep(2_500);
            assertTrue(serves(late), "a file that makes no sense changed rights");
            Files.writeString(roles, ROLES + "region-server CN=late\n");
            Await.until("demoted, on the same connection", 20_000, () -> !commits(late));
            assertTrue(serves(late));
            Files.writeString(roles, ROLES);
            Await.until("not listed any more", 20_000, () -> !serves(late));
        } finally {
            Files.writeString(roles, ROLES);
        }
        assertTrue(orders.begin() > 0);
    }

    private static boolean serves(RemoteTransactionManager client) {
        try {
            return client.begin() > 0;
        } catch (org.fencepost.protocol.manager.TransactionManagerException e) {
            return false;
        }
    }

    private static boolean commits(RemoteTransactionManager client) {
        try {
            return client.commit(client.begin(), new long[] {77}) > 0;
        } catch (NotServedException e) {
            return false;
        }
    }

    @Test
    void oneSubjectHasSoManyConnections() throws Exception {
        List<RawClient> open = new ArrayList<>();
        TlsFiles files = certificates.signed("rs-3", "dns:rs-3");
        for (int i = 0; i < CONNECTIONS_PER_CLIENT; i++) {
            open.add(closing(new RawClient(server.port(), files)));
            assertEquals(Wire.WELCOME, open.get(i).hello());
        }
        assertEquals(Wire.GOODBYE, closing(new RawClient(server.port(), files)).hello());
        assertTrue(orders.begin() > 0);
        open.get(0).close();
        Await.until("a place is free", 10_000, () -> welcome(files));
    }

    private boolean welcome(TlsFiles files) {
        try (RawClient again = new RawClient(server.port(), files)) {
            return again.hello() == Wire.WELCOME;
        } catch (IOException e) {
            return false;
        }
    }

    /** Before the handshake, half-way in it, and with noise instead of it; new clients come in meanwhile. */
    @Test
    void strangersKeepNobodyOut() throws Exception {
        byte[] halfHandshake = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 3_000; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.port());
                strangers.add(stranger);
                if (i % 3 == 1) {
                    stranger.getOutputStream().write(halfHandshake);
                } else if (i % 3 == 2) {
                    stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }
                if (i % 1_000 == 999) {
                    assertTrue(orders.begin() > 0);
                    try (RemoteTransactionManager next = connect(ordersFiles)) {
                        assertTrue(next.begin() > 0, "nobody comes in any more");
                    }
                }
            }
        } catch (java.net.SocketException e) {
            throw new AssertionError("after " + strangers.size() + " strangers", e);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void badFilesEndTheProcessWithASentence() throws Exception {
        assertExit("--authorize", roles.toString());
        assertExit("--zookeeper-auth", Files.writeString(directory.resolve("nobody"), "nobody\n").toString());
        assertExit("--zookeeper-auth", "sasl");
        TlsFiles own = certificates.signed("bad", "ip:127.0.0.1");
        Path bad = Files.writeString(directory.resolve("bad"), "client CN=a\nreader CN=b\n");
        assertExit("--authorize", bad.toString(), "--tls-cert", own.certificate().toString(), "--tls-key", own.key().toString(), "--tls-ca",
                own.authority().toString());
    }

    private static void assertExit(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--zookeeper", zooKeeper.address(), "--port", "0", "--metrics-port", "0"));
        arguments.addAll(List.of(more));
        try (JavaProcess process = new JavaProcess(TmServer.class, List.of(), arguments)) {
            assertEquals(1, process.exitCode(), String.join(" ", more));
        }
    }
}
