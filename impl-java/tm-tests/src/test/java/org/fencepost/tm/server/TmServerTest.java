package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
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
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.ZooKeeperAuth;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One real server process and its clients, good and bad. */
class TmServerTest {

    /** Long, so that no busy machine ends it. */
    private static final String[] STEADY = {"--lease-ms", "60000"};

    @TempDir
    static Path directory;
    private static TestZooKeeper zooKeeper;
    private static TmProcess server;
    private static RemoteTransactionManager client;

    private final List<AutoCloseable> resources = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
        server = new TmProcess(zooKeeper.address() + "/main", STEADY);
        client = client("/main", 30_000, null);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
        zooKeeper.close();
    }

    @AfterEach
    void closeResources() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private static RemoteTransactionManager client(String path, long requestMillis, TlsFiles tls) {
        return new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address() + path, requestMillis, 5_000, 100_000, tls));
    }

    private <T extends AutoCloseable> T closing(T resource) {
        resources.add(resource);
        return resource;
    }

    @Test
    void answersWhatTheInterfaceAsks() {
        long first = client.begin();
        long second = client.begin();
        assertTrue(second > first);
        assertTrue(client.isPending(first) && client.isPending(second) && !client.isPending(second + 1));
        assertTrue(client.commit(first, new long[] {1, 2, 3}) > second);
        assertEquals(TransactionManager.CONFLICT, client.commit(second, new long[] {3}));
        long fenced = client.begin();
        assertTrue(client.fence(77) > fenced);
        assertEquals(TransactionManager.FENCED, client.commit(fenced, new long[] {4}, new long[] {77}));
        assertTrue(!client.isPending(first) && !client.isPending(second) && !client.isPending(fenced));
        long last = client.begin();
        client.end(last);
        long collectable = client.collectableBelow();
        assertTrue(collectable > 0 && client.collectableBelow() >= collectable);
    }

    @Test
    void tellsWhoItIs() throws Exception {
        ManagerInfo info = client.info();
        UUID.fromString(info.identity());
        long startTs = client.begin();
        assertTrue(info.epoch() > 1_704_067_200_000_000_000L && info.epoch() <= info.next() && info.next() <= startTs, info.toString());
        assertTrue(startTs < info.limit(), info.toString());
        assertEquals(300_000, info.lifetimeMillis());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(300_000), client.lifetimeNanos());
        RemoteTransactionManager other = closing(client("/main", 30_000, null));
        assertEquals(Long.MAX_VALUE, other.lifetimeNanos(), "nobody has told it yet");
        ManagerInfo later = other.info();
        assertEquals(info.identity(), later.identity());
        assertEquals(info.tenure(), later.tenure());
        assertTrue(later.next() > startTs);
        closing(new TmProcess(zooKeeper.address() + "/other", STEADY));
        assertNotEquals(info.identity(), closing(client("/other", 30_000, null)).info().identity());
    }

    /** The client would live for a minute; the manager lets the collector pass after a second. */
    @Test
    void noSnapshotIsReadThatIsCollected() throws Exception {
        closing(new TmProcess(zooKeeper.address() + "/short", "--lease-ms", "60000", "--lifetime-ms", "1000"));
        RemoteTransactionManager manager = closing(client("/short", 30_000, null));
        InMemoryStore<String, String> store = new InMemoryStore<>();
        InMemoryCommitTable commitTable = new InMemoryCommitTable();
        OmidLL<String, String> omid = new OmidLL<>(store, commitTable, manager, TmServer.MONOTONIC, String::hashCode,
                new OmidLL.Settings(60_000_000_000L, 0, 60_000_000_000L, 2, true), Tracer.OFF);
        write(omid, "1");
        OmidLLTransaction<String, String> reader = omid.begin();
        assertEquals("1", omid.read(reader, "key").value());
        write(omid, "2");
        Await.until("the collector may pass the reader", 20_000, () -> manager.collectableBelow() > reader.startTs());
        new Collector<>(store, commitTable, manager, Tracer.OFF).collect(List.of("key"));
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> omid.read(reader, "key"));
        assertEquals(AbortCause.EXPIRED, e.abortCause());
        assertEquals("2", omid.read(omid.begin(), "key").value());
    }

    private static void write(OmidLL<String, String> omid, String value) {
        OmidLLTransaction<String, String> writer = omid.begin();
        omid.write(writer, Map.of("key", new Write<>(value)));
        omid.finishCommit(omid.commit(writer));
    }

    /** With a raw socket: a client that asks for what is another's. */
    @Test
    void nobodyCommitsAnothersTransaction() throws Exception {
        long startTs = client.begin();
        try (RawClient raw = new RawClient(server.port())) {
            assertEquals(Wire.WELCOME, raw.hello());
            raw.write(ByteBuffer.allocate(13 + 27).putInt(9).put(Wire.END).putLong(startTs)
                    .putInt(23).put(Wire.COMMIT).putInt(8).putLong(startTs).putShort((short) 0).putLong(4711).array());
            ByteBuffer answer = ByteBuffer.wrap(raw.readFrame());
            assertEquals(Wire.ANSWER, answer.get());
            assertEquals(8, answer.getInt());
            assertEquals(Wire.NOT_YOURS, answer.getLong());
        }
        RemoteTransactionManager other = closing(client("/main", 30_000, null));
        NotServedException e = assertThrows(NotServedException.class, () -> other.commit(startTs, new long[] {4711}));
        assertTrue(e.getMessage().contains("begun by another client"), e.getMessage());
        assertTrue(other.collectableBelow() <= startTs, "it is still active");
        assertTrue(client.commit(startTs, new long[] {4711}) > 0);
    }

    /** A server of version 1 takes the hello of version 2 for one, and says what is wrong. */
    @Test
    void aServerOfAnotherVersionIsGivenUp() throws Exception {
        try (ServerSocket old = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> hello = new CompletableFuture<>();
            Thread server = new Thread(() -> {
                try (Socket socket = old.accept()) {
                    hello.complete(socket.getInputStream().readNBytes(11));
                    byte[] reason = "it speaks version 1 of the protocol, the client version 2".getBytes(StandardCharsets.UTF_8);
                    socket.getOutputStream().write(ByteBuffer.allocate(6 + reason.length).putInt(2 + reason.length).put(Wire.GOODBYE)
                            .put(Wire.INCOMPATIBLE).put(reason).array());
                } catch (IOException e) {
                    hello.completeExceptionally(e);
                }
            });
            server.start();
            try (ZooKeeperObjects objects = new ZooKeeperObjects(zooKeeper.address() + "/old", ZooKeeperAuth.NONE)) {
                objects.create("lease", new LeaseRecord("old", "127.0.0.1:" + old.getLocalPort(), 60_000, 0, 1, 0).text());
            }
            RemoteTransactionManager manager = closing(client("/old", 30_000, null));
            NotServedException e = assertThrows(NotServedException.class, manager::begin);
            assertTrue(e.getMessage().contains("The client cannot be used") && e.getMessage().contains("version 1"), e.getMessage());
            assertArrayEquals(ByteBuffer.allocate(11).putInt(7).put(Wire.HELLO).putInt(Wire.MAGIC).putShort((short) 2).array(), hello.join(),
                    "the frame that version 1 expects");
            server.join();
        }
    }

    @Test
    void requestsArePipelined() {
        List<CompletableFuture<Long>> begins = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            begins.add(client.beginAsync());
        }
        long last = 0;
        for (CompletableFuture<Long> begin : begins) {
            assertTrue(begin.join() > last);
            last = begin.join();
        }
    }

    /** Each sends for itself, or for others, too; everybody gets his own answer. */
    @Test
    void threadsSendSideBySide() {
        Set<Long> begun = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            threads.add(CompletableFuture.runAsync(() -> {
                long last = 0;
                for (int i = 0; i < 1_000; i++) {
                    long startTs = client.begin();
                    assertTrue(startTs > last, "later than what this thread has seen");
                    last = client.commit(startTs, new long[] {startTs});
                    assertTrue(last > startTs);
                    begun.add(startTs);
                }
            }, task -> new Thread(task).start()));
        }
        threads.forEach(CompletableFuture::join);
        assertEquals(8_000, begun.size());
    }

    /** Of a server that is none: finds clients, and welcomes each as a primary does. */
    private static final class Stub implements AutoCloseable {

        interface Behaviour {
            void serve(DataInputStream in, OutputStream out) throws IOException;
        }

        private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        private final List<Socket> accepted = Collections.synchronizedList(new ArrayList<>());

        Stub(String path, Behaviour behaviour) throws Exception {
            new Thread(() -> accept(behaviour)).start();
            try (ZooKeeperObjects objects = new ZooKeeperObjects(zooKeeper.address() + path, ZooKeeperAuth.NONE)) {
                objects.create("lease", new LeaseRecord("stub", "127.0.0.1:" + listener.getLocalPort(), 60_000, 0, 1, 0).text());
            }
        }

        private void accept(Behaviour behaviour) {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    accepted.add(socket);
                    socket.setSendBufferSize(1 << 12); // what nobody takes it waits for
                    ByteBuf welcome = Unpooled.buffer();
                    Wire.writeWelcome(welcome, 1, 1, 60_000, 1 << 22, "stub");
                    socket.getOutputStream().write(welcome.array(), 0, welcome.readableBytes());
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    in.skipNBytes(2 * Wire.HEADER + 7 + 9); // hello and session
                    behaviour.serve(in, socket.getOutputStream());
                }
            } catch (IOException e) {
                // the test is over
            }
        }

        int connections() {
            return accepted.size();
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    /** The server here takes a completion's request only when all its answers have been taken. */
    @Test
    void completionsMaySendRequests() throws Exception {
        int begins = 60_000;
        long[] megabytes = new long[1 << 21]; // more than the buffers on the way hold
        try (Stub stub = new Stub("/full", (in, out) -> {
            in.skipNBytes((long) begins * (Wire.HEADER + 5));
            for (int id = 1; id <= begins; id++) {
                ByteBuf answer = Unpooled.buffer();
                Wire.writeAnswer(answer, id, id);
                out.write(answer.array(), 0, answer.readableBytes());
            }
            in.skipNBytes(Wire.HEADER + Wire.COMMIT_FIXED + 8L * megabytes.length);
            ByteBuf answer = Unpooled.buffer();
            Wire.writeAnswer(answer, begins + 1, begins + 1);
            out.write(answer.array(), 0, answer.readableBytes());
        })) {
            RemoteTransactionManager manager = closing(new RemoteTransactionManager(
                    new RemoteTransactionManager.Settings(zooKeeper.address() + "/full", 30_000, 10_000, 1 << 17, null)));
            CompletableFuture<Long> commit = null;
            for (int i = 0; i < begins; i++) {
                CompletableFuture<Long> begin = manager.beginAsync();
                commit = commit == null ? begin.thenCompose(startTs -> manager.commitAsync(startTs, megabytes, TransactionManager.NO_TABLES)) : commit;
            }
            assertEquals(begins + 1, commit.get(30, TimeUnit.SECONDS));
        }
    }

    /** The thread that sends is not stuck in its socket for good, and the others neither. */
    @Test
    void aServerThatTakesNothingIsGivenUp() throws Exception {
        try (Stub deaf = new Stub("/deaf", (in, out) -> {})) {
            RemoteTransactionManager manager = closing(new RemoteTransactionManager(
                    new RemoteTransactionManager.Settings(zooKeeper.address() + "/deaf", 3_000, 300, 100, null)));
            long[] megabytes = new long[1 << 20];
            List<CompletableFuture<Long>> commits = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                commits.add(CompletableFuture.supplyAsync(() -> manager.commit(1, megabytes), task -> new Thread(task).start()));
            }
            for (CompletableFuture<Long> commit : commits) {
                CompletionException e = assertThrows(CompletionException.class, commit::join);
                assertTrue(e.getCause() instanceof TransactionManagerException, e.toString());
            }
            assertTrue(deaf.connections() > 1, "it was tried anew");
        }
    }

    /** The same where nothing has been sent whose answer would be late: records for Mediator's log take their time. */
    @Test
    void aServerThatTakesNoRecordsIsGivenUp() throws Exception {
        try (Stub deaf = new Stub("/deaf-log", (in, out) -> {})) {
            RemoteTransactionManager manager = closing(new RemoteTransactionManager(
                    new RemoteTransactionManager.Settings(zooKeeper.address() + "/deaf-log", 3_000, 300, 100, null)));
            RemoteOracle oracle = new RemoteOracle(manager);
            LogRecord<byte[]> record = new LogRecord<>(1, 2, new byte[RemoteOracle.LARGEST_WRITES]);
            List<CompletableFuture<Boolean>> appends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                appends.add(CompletableFuture.supplyAsync(() -> oracle.append(record), task -> new Thread(task).start()));
            }
            for (CompletableFuture<Boolean> append : appends) {
                ExecutionException e = assertThrows(ExecutionException.class, () -> append.get(30, TimeUnit.SECONDS));
                assertTrue(e.getCause() instanceof StoreException, e.toString());
            }
            assertTrue(deaf.connections() > 1, "it was tried anew");
        }
    }

    @Test
    void metricsAndHealth() throws Exception {
        client.commit(client.begin(), new long[] {5});
        HttpResponse<String> health = get("/health");
        assertEquals(200, health.statusCode());
        assertTrue(health.body().matches("(?s)\\{\"status\":\"primary\",\"epoch\":[0-9]{19},.*"), health.body());
        String metrics = get("/metrics").body();
        assertTrue(metrics.contains("\nfencepost_tm_primary 1\n"), metrics);
        assertTrue(metrics.matches("(?s).*\nfencepost_tm_requests_total\\{type=\"commit\"} [1-9].*"), metrics);
        assertTrue(metrics.matches("(?s).*\nfencepost_tm_lease_remaining_seconds [1-5]?[0-9]\\..*"), metrics);
        assertTrue(metrics.matches("(?s).*\nfencepost_tm_conflict_table_entries_used [1-9].*"), metrics);
        assertTrue(metrics.matches("(?s).*\nfencepost_tm_latency_seconds_count [1-9].*"), metrics);
        assertTrue(metrics.matches("(?s).*_seconds_bucket\\{le=\"\\+Inf\"\\} (\\d+)\n.*_seconds_count \\1\n.*"), metrics);
        for (String line : metrics.split("\n")) {
            assertTrue(line.matches("# (HELP|TYPE) fencepost_tm_[a-z_]+ .*|fencepost_tm_[a-z_]+(\\{[a-z]+=\"([a-z_0-9.]+|\\+Inf)\"})? [0-9.E-]+"), line);
        }
    }

    @Test
    void endsNeedNoOtherRequest() throws Exception {
        long before = ends();
        client.end(client.begin());
        Await.until("the end has come by itself", 10_000, () -> ends() == before + 1);
        try (RemoteTransactionManager leaving = client("/main", 30_000, null)) {
            leaving.end(leaving.begin());
        }
        Await.until("the end has come before its client left", 10_000, () -> ends() == before + 2);
    }

    private long ends() {
        try {
            Matcher ends = Pattern.compile("\nfencepost_tm_requests_total\\{type=\"end\"} (\\d+)\n").matcher(get("/metrics").body());
            assertTrue(ends.find());
            return Long.parseLong(ends.group(1));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.metricsPort() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The same noise as {@link FuzzTest}'s, over sockets, beside a client that must not notice. */
    @Test
    void hostileClientsDisturbNoOne() throws Exception {
        Thread[] attackers = new Thread[2];
        for (int i = 0; i < attackers.length; i++) {
            Random random = new Random(i);
            attackers[i] = new Thread(() -> {
                for (int round = 0; round < 300; round++) {
                    attack(random);
                }
            });
            attackers[i].start();
        }
        long last = 0;
        int served = 0;
        while (attackers[0].isAlive() || attackers[1].isAlive()) {
            long startTs = client.begin();
            assertTrue(startTs > last);
            last = startTs;
            served++;
        }
        assertTrue(served > 10, "begins served: " + served);
    }

    private static void attack(Random random) {
        byte[] noise = new byte[random.nextInt(20_000)];
        random.nextBytes(noise);
        try (RawClient raw = new RawClient(server.port())) {
            if (random.nextInt(4) > 0) {
                raw.hello();
                for (int i = random.nextInt(100); i > 0; i--) {
                    raw.begin(i);
                }
                if (random.nextBoolean()) { // a plausible length before the noise
                    ByteBuffer.wrap(noise).putInt(0, Math.min(noise.length, 1 + random.nextInt(1000)));
                }
            }
            raw.write(noise);
        } catch (IOException | IndexOutOfBoundsException e) {
            // the server hung up, or there is no noise
        }
    }

    /** A client that asks and never reads is stopped by back-pressure, keeps nobody waiting, and finds its answers when it reads. */
    @Test
    void whoDoesNotReadIsServedWhenItReads() throws Exception {
        int requests = 3_000_000; // more than the buffers on the way hold
        RawClient raw = closing(new RawClient(server.port()));
        assertEquals(Wire.WELCOME, raw.hello());
        AtomicInteger sent = new AtomicInteger();
        Thread sender = new Thread(() -> {
            try {
                DataOutputStream out = raw.buffered();
                for (int id = 0; id < requests; id++) {
                    out.writeInt(5);
                    out.writeByte(Wire.BEGIN);
                    out.writeInt(id);
                    sent.set(id);
                }
                out.flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        sender.start();
        int before;
        do {
            before = sent.get();
            client.begin();
            Await.sleep(200);
        } while (sent.get() > before);
        assertTrue(sender.isAlive() && before < requests - 1, "the server read it all: " + before);
        for (int id = 0; id < requests; id++) {
            ByteBuffer answer = ByteBuffer.wrap(raw.readFrame());
            assertEquals(Wire.ANSWER, answer.get());
            assertEquals(id, answer.getInt());
        }
        sender.join();
    }

    @Test
    void writeSetsBeyondTheLimitAreRefusedByTheClient() {
        long startTs = client.begin();
        NotServedException e = assertThrows(NotServedException.class, () -> client.commit(startTs, new long[100_001]));
        assertTrue(e.getMessage().contains("takes 100000 at most"), e.getMessage());
        assertTrue(client.commit(startTs, new long[100_000]) > 0, "the connection is none the worse");
    }

    @Test
    void absentManagerIsReportedInTime() {
        RemoteTransactionManager lost = closing(client("/nobody", 500, null));
        NotServedException e = assertThrows(NotServedException.class, lost::begin);
        assertTrue(e.getMessage().contains("no transaction manager has ever run under this ZooKeeper address"), e.getMessage());
    }

    @Test
    void absentZooKeeperIsReportedInTime() {
        RemoteTransactionManager lost = closing(new RemoteTransactionManager(
                new RemoteTransactionManager.Settings("127.0.0.1:1", 500, 200, 10, null)));
        assertThrows(NotServedException.class, lost::begin);
    }

    @Test
    void whatIsNoZooKeeperIsRejectedAtOnce() {
        for (String address : List.of("127.0.0.1:218x", "127.0.0.1:2181,,127.0.0.1:2182", "zk1 zk2", "")) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> RemoteTransactionManager.Settings.of(address)).getMessage().contains("give HOST:PORT"));
        }
        RemoteTransactionManager.Settings.of("zk1:2181,[::1]:2181,zk2/path");
    }

    @Test
    void aClientMayBeClosedTwice() {
        RemoteTransactionManager twice = new RemoteTransactionManager(RemoteTransactionManager.Settings.of("127.0.0.1:1"));
        twice.close();
        twice.close();
        assertThrows(NotServedException.class, twice::begin);
    }

    @Test
    void tooManyRequestsFailAtOnce() {
        RemoteTransactionManager small = closing(new RemoteTransactionManager(
                new RemoteTransactionManager.Settings("127.0.0.1:1", 2_000, 200, 10, null)));
        List<CompletableFuture<Long>> begins = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            begins.add(small.beginAsync());
        }
        CompletionException e = assertThrows(CompletionException.class, () -> begins.get(10).getNow(0L));
        assertTrue(e.getCause() instanceof NotServedException, e.toString());
        assertFalse(begins.get(9).isDone());
    }

    @Test
    void closedClientFailsItsRequests() {
        RemoteTransactionManager lost = client("/nobody", 30_000, null);
        CompletableFuture<Long> waiting = lost.beginAsync();
        lost.close();
        assertThrows(CompletionException.class, waiting::join);
        assertThrows(NotServedException.class, lost::begin);
    }

    /**
     * The answer of a commit that was sent is lost: "not served" and "not known" must not be confused. The protocol then
     * aborts, whatever the manager did: no commit entry was written.
     */
    @Test
    void lostCommitAnswerIsNoGuess() throws Exception {
        TmProcess stopping = closing(new TmProcess(zooKeeper.address() + "/lost", STEADY));
        RemoteTransactionManager impatient = closing(new RemoteTransactionManager(
                new RemoteTransactionManager.Settings(zooKeeper.address() + "/lost", 5_000, 300, 10, null)));
        OmidLL<String, String> omid = new OmidLL<>(new InMemoryStore<>(), new InMemoryCommitTable(), impatient, TmServer.MONOTONIC,
                String::hashCode, new OmidLL.Settings(60_000_000_000L, 0, 60_000_000_000L, 2, true), Tracer.OFF);
        OmidLLTransaction<String, String> lost = omid.begin();
        omid.write(lost, Map.of("key", new Write<>("value")));
        long startTs = impatient.begin();
        stopping.pause();
        TransactionManagerException e = assertThrows(TransactionManagerException.class, () -> impatient.commit(startTs, new long[] {1}));
        assertFalse(e instanceof NotServedException, e.getMessage());
        assertTrue(e.getMessage().contains("answer was lost"), e.getMessage());
        TransactionAbortedException aborted = assertThrows(TransactionAbortedException.class, () -> omid.commit(lost));
        assertEquals(AbortCause.MANAGER_UNREACHABLE, aborted.abortCause());
        stopping.resume();
        assertNull(omid.read(omid.begin(), "key"));
    }

    @Test
    void certificatesDecideWhoMayAsk() throws Exception {
        Certificates certificates = new Certificates(directory);
        TlsFiles own = certificates.signed("server", "ip:127.0.0.1");
        closing(new TmProcess(zooKeeper.address() + "/tls", "--lease-ms", "60000", "--tls-cert", own.certificate().toString(),
                "--tls-key", own.key().toString(), "--tls-ca", own.authority().toString()));
        RemoteTransactionManager trusted = closing(client("/tls", 30_000, certificates.signed("client", "dns:client")));
        assertTrue(trusted.commit(trusted.begin(), new long[] {1}) > 0);
        assertNotServed(closing(client("/tls", 2_000, certificates.stranger("stranger"))));
        assertNotServed(closing(client("/tls", 2_000, null)));
        assertTrue(trusted.begin() > 0);
    }

    @Test
    void clientsInsistOnTheServersName() throws Exception {
        Certificates certificates = new Certificates(Files.createDirectory(directory.resolve("names")));
        TlsFiles own = certificates.signed("server", "dns:elsewhere");
        closing(new TmProcess(zooKeeper.address() + "/names", "--lease-ms", "60000", "--tls-cert", own.certificate().toString(),
                "--tls-key", own.key().toString(), "--tls-ca", own.authority().toString()));
        assertNotServed(closing(client("/names", 2_000, certificates.signed("client", "dns:client"))));
    }

    private static void assertNotServed(RemoteTransactionManager manager) {
        NotServedException e = assertThrows(NotServedException.class, manager::begin);
        System.out.println("TmServerTest: " + e.getMessage());
    }

    @Test
    void badOptionsEndTheProcessWithASentence() throws Exception {
        assertExit(1, "--port", Integer.toString(server.port()));
        assertExit(1, "--lease-ms", "1");
        assertExit(1, "--leap", "3");
        assertExit(1, "--epoch-size", "1");
        assertExit(1, "--conflict-table-size", "0");
        assertExit(1, "--leap", Long.toString(1L << 28));
        assertExit(1, "--recover-identity", "alone");
        assertExit(1, "--recover-from", "-1");
        assertExit(2, "--port", "x");
        assertExit(2, "--tls-cert", "only-one.pem");
    }

    private void assertExit(int code, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--zookeeper", zooKeeper.address(), "--metrics-port", "0"));
        arguments.addAll(List.of(more));
        if (!more[0].equals("--port")) {
            arguments.addAll(List.of("--port", "0"));
        }
        try (JavaProcess process = new JavaProcess(TmServer.class, List.of(), arguments)) {
            assertEquals(code, process.exitCode(), String.join(" ", more));
        }
    }
}
