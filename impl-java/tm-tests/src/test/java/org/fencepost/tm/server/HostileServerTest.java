package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.tm.Certificates;
import org.fencepost.tm.RawClient;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile frames on real server processes, over raw sockets: {@link FuzzTest}'s, sent by anybody where there is no TLS, and by clients with
 * few rights where there is. {@code make test-hostile} sends a million.
 *
 * <p>Each burst ends with more bytes of -1 than the longest frame has. So whatever the frames before were, the server finds something
 * to refuse in the end, and every burst must be answered by frames, of which the last is a GOODBYE with a sentence. After each a client
 * that behaves is served; in the end all threads are there, and the process is no larger than its heap allows.
 */
class HostileServerTest {

    /** Looked at by the servers, of each of the two. */
    private static final int FRAMES = Integer.getInteger("fencepost.hostile.frames", 6_000) / 2;
    private static final long LARGEST_PROCESS_KB = 600_000;
    /** Well within one TLS record and one packet on loopback, so that the server has read all of it when it hangs up. */
    private static final int LARGEST_BURST = 12_000;
    private static final int WRITE_SET = 100;
    private static final int END = Wire.COMMIT_FIXED + 8 * WRITE_SET + 2 * Wire.HEADER;
    private static final byte[] HELLO = ByteBufUtil.getBytes(hello());
    private static final byte[] HALF_TLS_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

    @TempDir
    static Path directory;
    private static TestZooKeeper zooKeeper;

    @BeforeAll
    static void start() throws IOException {
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
    }

    @AfterAll
    static void stop() {
        zooKeeper.close();
    }

    private static ByteBuf hello() {
        ByteBuf out = Unpooled.buffer();
        Wire.writeHello(out, EmbeddedServer.SESSION);
        return out;
    }

    /** Who attacks, and as whom: null for no TLS. */
    private record Attacker(int port, TlsFiles files) {

        RawClient connect() throws IOException {
            return files == null ? new RawClient(port) : new RawClient(port, files);
        }
    }

    @Test
    void anybodyWhereThereIsNoTls() throws Exception {
        try (TmProcess server = new TmProcess(zooKeeper.address() + "/plain", "--lease-ms", "60000", "--max-write-set", Integer.toString(WRITE_SET), "--leap", "1");
                RemoteTransactionManager good = client("/plain", null)) {
            attack(server, good, List.of(new Attacker(server.port(), null)));
        }
    }

    @Test
    void certificatesWithRightsAndWithout() throws Exception {
        Certificates certificates = new Certificates(directory);
        TlsFiles own = certificates.signed("server", "ip:127.0.0.1");
        Path roles = Files.writeString(directory.resolve("roles"), "client CN=good\nclient CN=client\nregion-server CN=server-of-regions\noperator CN=operator\n");
        try (TmProcess server = new TmProcess(zooKeeper.address() + "/tls", "--lease-ms", "60000", "--max-write-set", Integer.toString(WRITE_SET), "--leap", "1",
                "--tls-cert", own.certificate().toString(), "--tls-key", own.key().toString(), "--tls-ca", own.authority().toString(),
                "--authorize", roles.toString());
                RemoteTransactionManager good = client("/tls", certificates.signed("good", "dns:good"))) {
            attack(server, good, List.of(new Attacker(server.port(), certificates.signed("client", "dns:client")),
                    new Attacker(server.port(), certificates.signed("server-of-regions", "dns:a")),
                    new Attacker(server.port(), certificates.signed("operator", "dns:operator")),
                    new Attacker(server.port(), certificates.signed("nobody", "dns:nobody"))));
        }
    }

    private static RemoteTransactionManager client(String path, TlsFiles files) {
        return new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address() + path, 30_000, 10_000, 1_000, files));
    }

    private static void attack(TmProcess server, RemoteTransactionManager good, List<Attacker> attackers) throws Exception {
        long last = good.begin();
        TreeSet<String> threads = threads(server);
        long frames = 0;
        long bursts = 0;
        for (long seed = 0; frames < FRAMES; seed++) {
            Random random = new Random(seed);
            Attacker attacker = attackers.get(random.nextInt(attackers.size()));
            try {
                frames += burst(attacker, random);
            } catch (IOException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            bursts++;
            if (random.nextInt(5) == 0) {
                hangUp(server.port(), random);
            }
            long timestamp = good.begin();
            assertTrue(timestamp > last, "seed " + seed);
            last = timestamp;
        }
        assertTrue(server.isAlive());
        assertTrue(threads(server).containsAll(threads), "threads: " + threads + ", and now " + threads(server));
        long kilobytes = residentKilobytes(server);
        assertTrue(kilobytes < LARGEST_PROCESS_KB, "the process has " + kilobytes + " kB");
        assertTrue(closed(server) >= bursts);
        System.out.println("HostileServerTest: " + frames + " frames in " + bursts + " bursts; the server's process has " + kilobytes / 1024 + " MB");
    }

    /** One connection. Returns how many frames the server looked at: up to the first that is damaged, or all. */
    private static int burst(Attacker attacker, Random random) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        if (random.nextInt(20) > 0) {
            bytes.writeBytes(HELLO);
        }
        int damaged = 0;
        int frames = 0;
        for (int count = 1 + random.nextInt(100); count > 0 && bytes.readableBytes() < LARGEST_BURST; count--) {
            int start = bytes.writerIndex();
            FuzzTest.writeFrame(bytes, random);
            frames++;
            if (random.nextInt(30) == 0) {
                FuzzTest.damage(bytes, start, random);
                damaged = damaged == 0 ? frames : damaged;
            }
        }
        byte[] end = new byte[END];
        Arrays.fill(end, (byte) -1);
        bytes.writeBytes(end);
        try (RawClient raw = attacker.connect()) {
            write(raw, ByteBufUtil.getBytes(bytes), attacker.files() == null && random.nextInt(10) == 0 ? 1 + random.nextInt(200) : Integer.MAX_VALUE);
            readAnswers(raw);
        }
        return damaged == 0 ? frames : damaged;
    }

    /** In pieces, until the server hangs up. */
    private static void write(RawClient raw, byte[] bytes, int piece) {
        try {
            for (int i = 0; i < bytes.length; i += Math.min(piece, bytes.length - i)) {
                raw.write(Arrays.copyOfRange(bytes, i, i + Math.min(piece, bytes.length - i)));
            }
        } catch (IOException e) {
            // it has refused what came first, which its answer tells
        }
    }

    private static void readAnswers(RawClient raw) throws IOException {
        byte[] last = null;
        for (byte[] frame = raw.readFrame(); frame != null; frame = raw.readFrame()) {
            assertTrue(last == null || last[0] != Wire.GOODBYE, "a frame after the goodbye");
            last = frame;
            switch (frame[0]) {
                case Wire.WELCOME, Wire.CONDITION, Wire.BEGUN, Wire.GOODBYE -> {}
                case Wire.ANSWER -> {
                    assertEquals(Wire.ANSWER_LENGTH, frame.length);
                    long value = ByteBuffer.wrap(frame).getLong(5);
                    assertTrue(value >= Wire.TOO_MANY_KEYS, "an answer of " + value);
                }
                default -> throw new AssertionError("a frame of type " + frame[0]);
            }
        }
        assertNotNull(last, "the server hung up without a word");
        assertEquals(Wire.GOODBYE, last[0], "the server hung up without a goodbye");
        assertTrue(last[1] == Wire.REFUSED || last[1] == Wire.INCOMPATIBLE || last[1] == Wire.UNAUTHORIZED, "a goodbye of code " + last[1]);
        String reason = new String(last, 2, last.length - 2, StandardCharsets.UTF_8);
        assertTrue(reason.matches("[^\\n]{10,300}") && !reason.contains("Exception"), reason);
    }

    /** What waits for no answer: half of something, and noise. Some of it stays connected until the server has had enough. */
    private static void hangUp(int port, Random random) throws IOException {
        byte[] noise = new byte[random.nextInt(3_000)];
        random.nextBytes(noise);
        byte[][] openings = {noise, HALF_TLS_HELLO, Arrays.copyOf(HELLO, random.nextInt(HELLO.length)), {},
                "GET /health HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)};
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(openings[random.nextInt(openings.length)]);
        if (random.nextInt(10) > 0) {
            socket.setSoLinger(true, random.nextInt(2)); // 0: no farewell
            socket.close();
        }
    }

    // ---- the server from outside

    private static TreeSet<String> threads(TmProcess server) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(server.pid()), "task"))) {
            for (Path task : tasks.toList()) {
                String name = Files.exists(task) ? Files.readString(task.resolve("comm")).strip() : "";
                if (name.startsWith("tm-")) {
                    names.add(name);
                }
            }
        }
        assertTrue(names.size() >= 3, names.toString());
        return names;
    }

    private static long residentKilobytes(TmProcess server) throws IOException {
        return number(Files.readString(Path.of("/proc", Long.toString(server.pid()), "status")), "VmRSS:\\s+(\\d+) kB");
    }

    /** Connections that the server counts as refused or unauthorised. */
    private static long closed(TmProcess server) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.metricsPort() + "/metrics");
        String metrics = HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
        return number(metrics, "connections_closed_total\\{cause=\"refused\"} (\\d+)") + number(metrics, "cause=\"unauthorized\"} (\\d+)");
    }

    private static long number(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), text);
        return Long.parseLong(found.group(1));
    }
}
