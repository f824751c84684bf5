package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fencepost.tm.Await;
import org.fencepost.tm.wire.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The HTTP port, over raw sockets: nobody keeps another from his answer. What does not come within the sockets' timeout fails. */
class HttpTest {

    private final EventLoopGroup loops = Platform.singleThread("serving");
    private final List<Socket> sockets = new ArrayList<>();
    private MetricsServer http;

    @BeforeEach
    void start() throws IOException {
        // Connections last an hour, so that nobody is answered only because others have grown too old.
        http = new MetricsServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), loops.next(), standby(), TimeUnit.HOURS.toMillis(1));
    }

    private TmService standby() {
        return new TmService(loops.next(), Limits.DEFAULT, 60_000, 1 << 12, EmbeddedServer.OWNERS, 1_000_000);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        http.close();
        loops.shutdownGracefully();
    }

    private Socket send(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return ""; // closed before it was read from
        }
    }

    private void assertAnswer(String status, String request) throws IOException {
        String answer = answer(send(request));
        assertTrue(answer.startsWith("HTTP/1.1 " + status + "\r\n"), answer.lines().findFirst().orElse("no answer") + " to " + request.lines().findFirst());
    }

    private void assertServed() throws IOException {
        assertAnswer("503 Service Unavailable", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void onlyGetOfTwoPaths() throws IOException {
        assertAnswer("200 OK", "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
        assertAnswer("200 OK", "GET /metrics?name[]=x HTTP/1.0\r\n\r\n");
        assertAnswer("404 Not Found", "GET / HTTP/1.1\r\n\r\n");
        assertAnswer("404 Not Found", "GET /healthy HTTP/1.1\r\n\r\n");
        assertAnswer("404 Not Found", "GET /health/../metrics HTTP/1.1\r\n\r\n");
        assertAnswer("405 Method Not Allowed", "POST /health HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
        assertAnswer("405 Method Not Allowed", "DELETE /metrics HTTP/1.1\r\n\r\n");
        assertAnswer("400 Bad Request", "GET  /health HTTP/1.1\r\n\r\n");
        assertAnswer("400 Bad Request", "\r\n\r\n");
        assertAnswer("400 Bad Request", "\u0016\u0003\u0001 nothing of HTTP\r\n\r\n");
        assertAnswer("400 Bad Request", "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n\r\n");
        assertAnswer("400 Bad Request", "GET /health HTTP/1.1\r\nX: " + "a".repeat(9_000));
        assertServed();
    }

    @Test
    void halfSentRequestsKeepNobodyWaiting() throws IOException {
        for (int i = 0; i < 200; i++) {
            send("GET /health HTTP/1.1\r\nHost:");
        }
        assertServed();
        assertEquals("", answer(sockets.get(0)), "the oldest did not make room");
    }

    /** Whatever a connection does, it does not last. */
    @Test
    void halfSentRequestsEnd() throws IOException {
        http.close();
        http = new MetricsServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), loops.next(), standby());
        assertEquals("", answer(send("GET /health HTTP/1.1\r\nHost:")));
    }

    /** Answers that nobody reads. */
    @Test
    void slowReadersKeepNobodyWaiting() throws IOException {
        for (int i = 0; i < 200; i++) {
            send("GET /metrics HTTP/1.1\r\n\r\n".repeat(300));
        }
        assertServed();
    }

    @Test
    void stuckServingThreadShows() throws Exception {
        loops.next().execute(() -> Await.sleep(3_000));
        String answer = answer(send("GET /health HTTP/1.1\r\n\r\n"));
        assertTrue(answer.startsWith("HTTP/1.1 503 ") && answer.contains("did not answer within 1000 ms"), answer);
    }
}
