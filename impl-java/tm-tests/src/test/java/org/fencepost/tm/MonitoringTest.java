package org.fencepost.tm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alerts in {@code monitoring/}, on a real Prometheus that scrapes real transaction managers: five transactions a second, then
 * five thousand with a failover in between, then no manager at all. Takes Debian's package {@code prometheus}.
 */
@Tag("evidence")
class MonitoringTest {

    private static final Path MONITORING = Path.of("../../monitoring");
    private static final int THREADS = 8;

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private int port;
    /** Transactions a second, of all threads. */
    private volatile double rate;
    private volatile boolean stopped;
    private final AtomicLong committed = new AtomicLong();

    @Test
    void everyPanelShowsSomethingAndTheLastManagersDeathIsAnAlert() throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
                TmProcess first = new TmProcess(zooKeeper.address(), "--lease-ms", "2000");
                RemoteTransactionManager manager = new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address(), 60_000, 250, 1 << 16, null))) {
            manager.begin();
            try (TmProcess second = new TmProcess(zooKeeper.address(), "--lease-ms", "2000")) {
                Process prometheus = startPrometheus(first.metricsPort(), second.metricsPort());
                try {
                    watch(manager, first, second);
                } finally {
                    stopped = true;
                    prometheus.destroy();
                }
            }
        }
    }

    private void watch(RemoteTransactionManager manager, TmProcess first, TmProcess second) throws Exception {
        rate = 5;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> transact(manager), "load-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        Await.until("both managers are scraped", 30_000, () -> ask("count(fencepost_tm_primary)").contains("\"2\"]"));
        Await.sleep(15_000);
        rate = 5_000;
        Await.sleep(15_000);
        long before = committed.get();
        first.kill();
        Await.until("the second manager serves", 30_000, () -> committed.get() > before + 5_000);
        Await.sleep(15_000);
        everyPanelAnswers();
        drawTheDashboard();
        double[] perSecond = range("sum(rate(fencepost_tm_commits_total[5s]))");
        double least = DoubleStream.of(perSecond).filter(v -> v > 0).min().orElse(0);
        double most = DoubleStream.of(perSecond).max().orElse(0);
        System.out.printf(Locale.ROOT, "Committed per second, as Prometheus saw it: least %.1f, most %.0f; primaries: %s%n", least, most,
                ask("fencepost_tm_primary == 1"));
        assertTrue(least < 20, "five a second are seen: " + least);
        assertTrue(most > 500, "so are many: " + most);
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(!alerts().contains("FencepostNoPrimary"), alerts());
        second.kill();
        Await.until("nobody is primary, and that is an alert", 120_000, () -> alerts().matches("(?s).*\"alertname\":\"FencepostNoPrimary\".*\"state\":\"firing\".*"));
    }

    /** By the clock, however long each takes; what a failover made late is not made up for. */
    private void transact(RemoteTransactionManager manager) {
        long next = System.nanoTime();
        while (!stopped) {
            try {
                long startTs = manager.begin();
                if (manager.commit(startTs, new long[] {startTs}) > 0) {
                    committed.incrementAndGet();
                }
            } catch (TransactionManagerException e) {
                continue; // the failover
            }
            next = Math.max(next + (long) (1e9 * THREADS / rate), System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(10));
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private Process startPrometheus(int... metricsPorts) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        StringBuilder targets = new StringBuilder();
        for (int target : metricsPorts) {
            targets.append(targets.length() == 0 ? "" : ", ").append("\"127.0.0.1:").append(target).append('"');
        }
        String config = Files.readString(MONITORING.resolve("prometheus.yml")).replaceAll("(scrape|evaluation)_interval: 15s", "$1_interval: 1s")
                .replaceAll("targets: \\[.*\\]", "targets: [" + targets + "]");
        Files.writeString(directory.resolve("prometheus.yml"), config);
        Files.copy(MONITORING.resolve("alerts.yml"), directory.resolve("alerts.yml"));
        Process prometheus = new ProcessBuilder("prometheus", "--config.file=" + directory.resolve("prometheus.yml"), "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port).redirectErrorStream(true).redirectOutput(directory.resolve("prometheus.log").toFile()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(prometheus::destroyForcibly));
        return prometheus;
    }

    private String get(String path) {
        try {
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(), HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return ""; // not yet up
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String ask(String expression) {
        return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    }

    private String alerts() {
        return get("/api/v1/alerts");
    }

    /** Its values over the last two minutes, second by second. */
    private double[] range(String expression) {
        long now = System.currentTimeMillis() / 1000;
        String body = get("/api/v1/query_range?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8) + "&start=" + (now - 120) + "&end=" + now + "&step=1");
        return Pattern.compile("\\[\\d+(?:\\.\\d+)?,\"([^\"]+)\"\\]").matcher(body).results().mapToDouble(m -> Double.parseDouble(m.group(1))).toArray();
    }

    /** For somebody to look at: the failover is in the middle. */
    private void drawTheDashboard() throws IOException, InterruptedException {
        Path picture = Path.of("../../target/monitoring/dashboard.svg");
        Files.createDirectories(picture.getParent());
        Process draw = new ProcessBuilder("python3", MONITORING.resolve("draw").toString(), "http://127.0.0.1:" + port, picture.toString(), "60").inheritIO().start();
        assertEquals(0, draw.waitFor());
        System.out.println("The dashboard as it was: " + picture.toAbsolutePath().normalize());
    }

    private void everyPanelAnswers() throws IOException {
        List<String> expressions = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"").matcher(Files.readString(MONITORING.resolve("grafana-dashboard.json"))).results()
                .map(m -> m.group(1).replace("\\\"", "\"").replace("$__rate_interval", "10s").replace("$job", "fencepost")).toList();
        assertTrue(expressions.size() > 20, expressions.toString());
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
            String body = ask(expression);
            assertTrue(body.contains("\"status\":\"success\""), expression + ": " + body);
            if (body.contains("\"result\":[]")) {
                empty.add(expression);
            }
        }
        // There is no Mediator here: whether its series exist is asked of the code.
        String metrics = Files.readString(Path.of("src/main/java/org/fencepost/tm/server/Metrics.java"));
        for (String expression : empty.stream().filter(e -> e.contains("mediator_")).toList()) {
            Pattern.compile("fencepost_tm_(mediator_\\w+)").matcher(expression).results()
                    .forEach(m -> assertTrue(metrics.contains("\"" + m.group(1) + '"'), m.group(1) + " is no metric"));
        }
        assertEquals(List.of(), empty.stream().filter(e -> !e.contains("mediator_")).toList());
    }
}
