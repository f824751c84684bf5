package org.fencepost.tm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.channel.EventLoop;

/**
 * Metrics and health over HTTP, on a port and a thread of their own. Each request asks the serving thread, so that a
 * stuck one shows: as status 503. Health is 200 for the primary, 503 for a standby.
 */
final class MetricsServer implements AutoCloseable {

    private static final long ANSWER_MILLIS = 1_000;
    private static final int BACKLOG = 16;

    private final EventLoop loop;
    private final HttpServer http;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread worker = new Thread(task, "tm-metrics");
        worker.setDaemon(true);
        return worker;
    });

    MetricsServer(InetSocketAddress address, EventLoop loop, TmService service) throws IOException {
        this.loop = loop;
        this.http = HttpServer.create(address, BACKLOG);
        http.setExecutor(thread);
        http.createContext("/metrics", exchange -> answer(exchange, "text/plain; version=0.0.4", service::renderMetrics));
        http.createContext("/health", exchange -> answer(exchange, "application/json", service::renderHealth));
        http.start();
    }

    int port() {
        return http.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, String type, Callable<String> render) throws IOException {
        String text;
        int status;
        try {
            text = loop.submit(render).get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            status = text.contains("\"standby\"") ? 503 : 200;
        } catch (Exception e) {
            text = "The serving thread did not answer within " + ANSWER_MILLIS + " ms.\n";
            status = 503;
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        thread.shutdownNow();
    }
}
