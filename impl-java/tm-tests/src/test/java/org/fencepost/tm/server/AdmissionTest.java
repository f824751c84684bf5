package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.Test;

/** The limits of strangers and of clients. */
class AdmissionTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Limits LIMITS = new Limits(100, 8, 3, 5, 1_000, 1_000, 10_000, 1 << 16);

    private final EmbeddedServer server = new EmbeddedServer(LIMITS);

    @Test
    void oneStrangerMoreCostsTheOldestItsPlace() {
        List<EmbeddedChannel> strangers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            strangers.add(server.connect());
        }
        for (int i = 0; i < 50; i++) {
            assertEquals(i >= 45, strangers.get(i).isOpen(), "stranger " + i);
        }
        assertEquals(45, server.service.metrics().connectionsTurnedAway);
        assertTrue(server.connectAndGreet().isOpen(), "and a client comes in");
    }

    /** Who has few connections is not pushed out by who has many. */
    @Test
    void theAddressWithTheMostLosesItsOldest() {
        EmbeddedChannel patient = server.connect("192.0.2.1");
        List<EmbeddedChannel> flood = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            flood.add(server.connect("192.0.2.66"));
        }
        assertTrue(patient.isOpen(), "pushed out by another");
        assertEquals(4, flood.stream().filter(EmbeddedChannel::isOpen).count());
    }

    @Test
    void oneClientHasSoManyConnections() {
        List<EmbeddedChannel> open = new ArrayList<>();
        for (int i = 0; i < LIMITS.maxConnectionsPerClient(); i++) {
            open.add(server.connect("192.0.2.1"));
            assertEquals(Wire.WELCOME, hello(open.get(i)).readByte());
        }
        ByteBuf goodbye = hello(server.connect("192.0.2.1"));
        assertEquals(Wire.GOODBYE, goodbye.readByte());
        assertEquals(Wire.FULL, goodbye.readByte());
        assertTrue(Wire.readText(goodbye).contains("3 connections of 192.0.2.1 already"));
        assertEquals(Wire.WELCOME, hello(server.connect("192.0.2.2")).readByte());
        open.get(0).close();
        open.get(0).runPendingTasks();
        assertEquals(Wire.WELCOME, hello(server.connect("192.0.2.1")).readByte());
    }

    private static ByteBuf hello(EmbeddedChannel channel) {
        ByteBuf hello = Unpooled.buffer();
        Wire.writeHello(hello, EmbeddedServer.SESSION);
        channel.writeInbound(hello);
        return EmbeddedServer.answers(channel).get(0);
    }

    /** Nobody who has said nothing yet makes the server keep more than a hello's worth. */
    @Test
    void strangersAreGivenNoRoom() {
        EmbeddedChannel stranger = server.connect();
        ByteBuf header = Unpooled.buffer().writeInt(Wire.LONGEST_HELLO + 1);
        stranger.writeInbound(header);
        assertEquals(Wire.GOODBYE, EmbeddedServer.answers(stranger).get(0).readByte());
        assertFalse(stranger.isOpen());
    }

    @Test
    void keysAreTakenFromASecondsWorth() {
        ClientUse client = new ClientUse("a client", Role.ALL, LIMITS, 0);
        assertTrue(client.takesKeys(1_000, 0));
        assertFalse(client.takesKeys(1, 0));
        assertTrue(client.takesKeys(500, SECOND / 2));
        assertFalse(client.takesKeys(2, SECOND / 2 + SECOND / 1_000));
        assertFalse(client.takesKeys(1_001, 100 * SECOND), "more than a second's worth");
        assertTrue(client.takesKeys(1_000, 100 * SECOND));
        assertFalse(client.isForgettable(100 * SECOND), "a client that comes back would have a full bucket");
        assertTrue(client.isForgettable(101 * SECOND));
    }

    @Test
    void tooManyKeysAreAnsweredAndNotCommitted() {
        EmbeddedChannel channel = server.connectAndGreet();
        List<Long> answers = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            ByteBuf request = Unpooled.buffer();
            Wire.writePlain(request, Wire.BEGIN, 1);
            channel.writeInbound(request);
            long startTs = value(channel);
            request = Unpooled.buffer();
            Wire.writeCommit(request, 2, startTs, new long[100], new long[0]);
            channel.writeInbound(request);
            answers.add(value(channel));
        }
        assertTrue(answers.subList(0, 10).stream().allMatch(answer -> answer > 0), answers.toString());
        assertEquals(Wire.TOO_MANY_KEYS, answers.get(12), answers.toString());
        assertTrue(server.service.metrics().tooManyKeys > 0);
        assertNull(channel.readOutbound());
        assertTrue(channel.isOpen());
    }

    private static long value(EmbeddedChannel channel) {
        ByteBuf answer = EmbeddedServer.answers(channel).get(0);
        assertEquals(Wire.ANSWER, answer.readByte());
        answer.skipBytes(4);
        return answer.readLong();
    }

    /** Connections that come and go leave nothing behind. */
    @Test
    void clientsAreForgotten() {
        for (int i = 0; i < 1_000; i++) {
            EmbeddedChannel channel = server.connect("192.0.2." + i % 200);
            hello(channel);
            channel.finishAndReleaseAll();
        }
        server.service.admission().sweep(System.nanoTime() + 2 * SECOND);
        assertEquals(0, server.service.admission().clients());
        assertEquals(0, server.heldBytes());
    }
}
