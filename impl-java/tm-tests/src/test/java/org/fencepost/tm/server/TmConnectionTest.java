package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each request, each rule and each limit of a connection. */
class TmConnectionTest {

    private static final long[] NONE = {};

    private final EmbeddedServer server = new EmbeddedServer();
    private EmbeddedChannel channel = server.connectAndGreet();

    @AfterEach
    void nothingIsLeft() {
        channel.finishAndReleaseAll();
        assertEquals(0, server.heldBytes(), "buffers that were not released");
    }

    private List<ByteBuf> ask(Consumer<ByteBuf> request) {
        ByteBuf out = Unpooled.buffer();
        request.accept(out);
        channel.writeInbound(out);
        return EmbeddedServer.answers(channel);
    }

    private long value(ByteBuf answer, int id) {
        assertEquals(Wire.ANSWER, answer.readByte());
        assertEquals(id, answer.readInt());
        return answer.readLong();
    }

    private long begin() {
        return value(ask(out -> Wire.writePlain(out, Wire.BEGIN, 1)).get(0), 1);
    }

    private long commit(long startTs, long[] writeSet, long... tables) {
        return value(ask(out -> Wire.writeCommit(out, 2, startTs, writeSet, tables)).get(0), 2);
    }

    /** Its own first certification is not in its way, and others' since then are. */
    @Test
    void aSecondCertificationIsComparedWithWhatCameSince() {
        long startTs = begin();
        long first = commit(startTs, new long[] {1});
        long second = value(ask(out -> Wire.writeCommitAgain(out, 3, startTs, first, new long[] {1}, NONE)).get(0), 3);
        assertTrue(second > first);
        long other = begin();
        assertTrue(commit(other, new long[] {1}) > second);
        assertEquals(TransactionManager.CONFLICT, value(ask(out -> Wire.writeCommitAgain(out, 4, startTs, second, new long[] {1}, NONE)).get(0), 4));
    }

    private void assertRefused(List<ByteBuf> answers, byte code, String reason) {
        ByteBuf goodbye = answers.get(answers.size() - 1);
        assertEquals(Wire.GOODBYE, goodbye.readByte());
        assertEquals(code, goodbye.readByte());
        String text = goodbye.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(reason), text);
        assertFalse(channel.isOpen());
    }

    @Test
    void commitsAndConflicts() {
        long first = begin();
        long second = begin();
        long commitTs = commit(first, new long[] {7, 8});
        assertTrue(commitTs > second);
        assertEquals(TransactionManager.CONFLICT, commit(second, new long[] {8}));
        assertTrue(commit(begin(), new long[] {8}) > commitTs);
    }

    @Test
    void fenceAbortsWhoBeganBeforeAndNamesTheTable() {
        long named = begin();
        long other = begin();
        long fenceTs = value(ask(out -> Wire.writeOne(out, Wire.FENCE, 3, 99)).get(0), 3);
        assertTrue(fenceTs > other);
        assertEquals(TransactionManager.FENCED, commit(named, new long[] {1}, 5, 99));
        assertTrue(commit(other, new long[] {2}, 5) > fenceTs);
        assertTrue(commit(begin(), new long[] {3}, 99) > fenceTs);
    }

    @Test
    void watermarkFollowsTheOldestActive() {
        long first = begin();
        long second = begin();
        assertEquals(first, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4));
        assertEquals(0, ask(out -> Wire.writeEnd(out, first)).size());
        assertEquals(second, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 5)).get(0), 5));
    }

    @Test
    void whoHasBegunItRenewsATransactionUntilItEnds() {
        long first = begin();
        begin();
        assertEquals(1, value(ask(out -> Wire.writeOne(out, Wire.RENEW, 4, first)).get(0), 4));
        assertEquals(first, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 5)).get(0), 5));
        ask(out -> Wire.writeEnd(out, first));
        for (long none : new long[] {first, first + 1_000, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertEquals(0, value(ask(out -> Wire.writeOne(out, Wire.RENEW, 6, none)).get(0), 6));
        }
    }

    @Test
    void conditionTellsEpochAndTimestamps() {
        long last = begin();
        ByteBuf answer = ask(out -> Wire.writePlain(out, Wire.HEALTH, 6)).get(0);
        assertEquals(Wire.CONDITION, answer.readByte());
        assertEquals(6, answer.readInt());
        assertEquals(0, answer.readLong());
        assertTrue(answer.readLong() > 0);
        assertEquals(last + 1, answer.readLong());
        assertEquals(0, answer.readLong());
        assertEquals(Long.MAX_VALUE / 2, answer.readLong());
    }

    @Test
    void brokenRulesCloseTheConnection() {
        long startTs = begin();
        assertBroken(out -> out.writeInt(0), "a frame of 0 bytes");
        assertBroken(out -> out.writeInt(-5), "a frame of -5 bytes");
        assertBroken(out -> out.writeInt(EmbeddedServer.LIMITS.maxFrame() + 1), "where 1 to 823 are allowed");
        assertBroken(out -> out.writeInt(1).writeByte(77), "unknown type 77");
        assertBroken(out -> out.writeInt(2).writeByte(Wire.BEGIN).writeByte(0), "a request of 2 bytes");
        assertBroken(out -> out.writeInt(5).writeByte(Wire.RENEW).writeInt(0), "a request of 5 bytes");
        assertBroken(out -> out.writeInt(16).writeByte(Wire.COMMIT).writeZero(15), "a commit request of 16 bytes");
        assertBroken(out -> out.writeInt(15).writeByte(Wire.COMMIT).writeInt(1).writeLong(startTs).writeShort(3), "more tables than it has");
        assertBroken(out -> Wire.writeCommit(out, 1, startTs + 1, new long[] {1}, NONE), "which never began");
        assertBroken(out -> Wire.writeCommit(out, 1, -1, new long[] {1}, NONE), "which never began");
        assertBroken(out -> out.writeInt(16).writeByte(Wire.COMMIT_AGAIN).writeZero(15), "a commit request of 16 bytes");
        assertBroken(out -> Wire.writeCommit(out, 1, startTs, new long[EmbeddedServer.LIMITS.maxWriteSet() + 1], NONE), "of 101 keys and tables, where 100 are allowed");
        assertBroken(out -> Wire.writeCommit(out, 1, startTs, new long[EmbeddedServer.LIMITS.maxWriteSet()], new long[1]), "of 101 keys and tables");
        assertBroken(out -> Wire.writeCommitAgain(out, 1, startTs, startTs - 1, new long[] {1}, NONE), "which was never given");
        assertBroken(out -> Wire.writeCommitAgain(out, 1, startTs, startTs + 1000, new long[] {1}, NONE), "which was never given");
        assertBroken(out -> out.writeInt(6).writeByte(Wire.COMMIT_BLINDLY).writeZero(5), "a blind commit request of 6 bytes");
        assertBroken(out -> Wire.writeCommitBlindly(out, 1, new long[EmbeddedServer.LIMITS.maxWriteSet() + 1]), "of 101 keys and tables");
        assertBroken(out -> Wire.writeHello(out, 1), "unknown type 1");
    }

    /** It is its own, like one that began: it may be certified again, and whoever began before it meets a conflict. */
    @Test
    void aBlindTransactionBeginsAndIsCertifiedAtOnce() {
        long before = begin();
        long blind = value(ask(out -> Wire.writeCommitBlindly(out, 4, new long[] {7, 8})).get(0), 4);
        assertTrue(blind > before);
        assertEquals(TransactionManager.CONFLICT, value(ask(out -> Wire.writeCommit(out, 5, before, new long[] {8}, NONE)).get(0), 5));
        assertTrue(value(ask(out -> Wire.writeCommit(out, 6, blind, new long[] {7, 8}, NONE)).get(0), 6) > blind);
        assertEquals(0, value(ask(out -> Wire.writeOne(out, Wire.PENDING, 7, blind)).get(0), 7));
    }

    private void assertBroken(Consumer<ByteBuf> request, String reason) {
        channel.finishAndReleaseAll();
        channel = server.connectAndGreet();
        assertRefused(ask(request), Wire.REFUSED, reason);
    }

    /** What was asked in the same packet before the broken frame is not answered: the client sees why, and no more. */
    @Test
    void goodbyeIsTheLastFrame() {
        List<ByteBuf> answers = ask(out -> {
            Wire.writePlain(out, Wire.BEGIN, 1);
            out.writeInt(1).writeByte(77);
            Wire.writePlain(out, Wire.BEGIN, 2);
        });
        assertEquals(1, answers.size());
        assertRefused(answers, Wire.REFUSED, "unknown type");
    }

    @Test
    void firstFrameMustBeAHello() {
        channel = server.connect();
        assertRefused(ask(out -> Wire.writePlain(out, Wire.BEGIN, 1)), Wire.REFUSED, "no hello");
        channel = server.connect();
        assertRefused(ask(out -> out.writeBytes("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8))), Wire.REFUSED, "bytes, where");
        channel = server.connect();
        assertRefused(ask(out -> out.writeInt(7).writeByte(Wire.HELLO).writeInt(Wire.MAGIC).writeShort(9)), Wire.INCOMPATIBLE, "version 9");
    }

    /** Version 1 said hello by the same frame, and understands the answer. */
    @Test
    void otherVersionsAreToldSoOnTheirHello() {
        channel = server.connect();
        List<ByteBuf> answers = ask(out -> {
            out.writeInt(7).writeByte(Wire.HELLO).writeInt(Wire.MAGIC).writeShort(1);
            Wire.writePlain(out, Wire.BEGIN, 1);
        });
        assertEquals(1, answers.size());
        assertRefused(answers, Wire.INCOMPATIBLE, "it speaks version 2 of the protocol, the client version 1");
    }

    @Test
    void secondFrameMustBeTheSession() {
        Consumer<ByteBuf> hello = out -> out.writeInt(7).writeByte(Wire.HELLO).writeInt(Wire.MAGIC).writeShort(Wire.VERSION);
        channel = server.connect();
        assertEquals(0, ask(hello).size(), "no welcome before the session");
        assertRefused(ask(out -> Wire.writePlain(out, Wire.BEGIN, 1)), Wire.REFUSED, "no session");
        channel = server.connect();
        assertRefused(ask(out -> Wire.writeHello(out, 0)), Wire.REFUSED, "no session");
        channel = server.connect();
        assertRefused(ask(hello.andThen(hello)), Wire.REFUSED, "no session");
    }

    @Test
    void welcomeTellsWhoServes() {
        channel = server.connect();
        ByteBuf welcome = ask(out -> Wire.writeHello(out, 5)).get(0);
        assertEquals(Wire.WELCOME, welcome.readByte());
        assertEquals(Wire.VERSION, welcome.readShort());
        long tenure = welcome.readLong();
        assertEquals(0, welcome.readLong());
        assertEquals(60_000, welcome.readLong());
        assertEquals(EmbeddedServer.LIMITS.maxWriteSet(), welcome.readInt());
        assertEquals("system", Wire.readText(welcome));
        server.serve(1_000);
        channel = server.connect();
        welcome = ask(out -> Wire.writeHello(out, 5)).get(0);
        assertNotEquals(tenure, welcome.skipBytes(3).readLong());
    }

    // ---- whose transaction it is

    @Test
    void nobodyEndsAnothersTransaction() {
        long startTs = begin();
        EmbeddedChannel own = channel;
        channel = server.connectAndGreet(666);
        assertEquals(0, ask(out -> Wire.writeEnd(out, startTs)).size());
        assertEquals(startTs, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4), "it is still active");
        assertEquals(1, server.service.metrics().foreign);
        channel.finishAndReleaseAll();
        channel = own;
        ask(out -> Wire.writeEnd(out, startTs));
        assertTrue(value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4) > startTs);
    }

    @Test
    void nobodyCommitsAnothersTransaction() {
        long startTs = begin();
        EmbeddedChannel own = channel;
        channel = server.connectAndGreet(666);
        assertEquals(Wire.NOT_YOURS, commit(startTs, new long[] {1}));
        assertTrue(channel.isOpen());
        assertEquals(startTs, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4), "it is still active");
        channel.finishAndReleaseAll();
        channel = own;
        assertTrue(commit(startTs, new long[] {1}) > startTs, "and nothing was committed in its place");
    }

    /** What matters is the session, not the connection. */
    @Test
    void aClientThatReconnectsOwnsWhatItBegan() {
        long ended = begin();
        long committed = begin();
        channel.finishAndReleaseAll();
        channel = server.connectAndGreet();
        ask(out -> Wire.writeEnd(out, ended));
        assertEquals(committed, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4));
        assertTrue(commit(committed, new long[] {1}) > committed);
    }

    /** A commit timestamp is nobody's transaction. */
    @Test
    void commitTimestampsAreNotBegun() {
        long commitTs = commit(begin(), new long[] {1});
        begin();
        assertEquals(Wire.NOT_YOURS, commit(commitTs, new long[] {2}));
    }

    /** Memory is bounded: of what is older nobody remembers whose it is. Whoever commits it ends nothing, so nobody's snapshot is collected. */
    @Test
    void whatIsForgottenIsEndedByNobody() {
        long old = begin();
        for (int i = 0; i < EmbeddedServer.OWNERS; i++) {
            begin();
        }
        long last = begin();
        assertTrue(commit(old, new long[] {1}) > last, "a long transaction commits all the same");
        ask(out -> Wire.writeEnd(out, old));
        assertEquals(old, value(ask(out -> Wire.writePlain(out, Wire.WATERMARK, 4)).get(0), 4), "its lifetime ends it");
        assertTrue(commit(last, new long[] {2}) > last);
    }

    @Test
    void connectionsBeyondTheLimitAreRefused() {
        for (int i = 1; i < EmbeddedServer.LIMITS.maxConnections(); i++) {
            server.connectAndGreet();
        }
        channel.finishAndReleaseAll();
        channel = server.connectAndGreet();
        EmbeddedChannel welcome = channel;
        channel = server.connect();
        assertRefused(EmbeddedServer.answers(channel), Wire.FULL, "8 connections");
        channel = welcome;
        assertTrue(begin() > 0);
    }

    @Test
    void silenceIsNotWaitedForForEver() {
        long later = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EmbeddedServer.LIMITS.handshakeMillis() + 500);
        TmConnection greeted = channel.pipeline().get(TmConnection.class);
        greeted.sweep(later);
        assertTrue(channel.isOpen());
        EmbeddedChannel silent = server.connect();
        silent.pipeline().get(TmConnection.class).sweep(later);
        assertFalse(silent.isOpen(), "no hello");
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0, 0}));
        greeted.sweep(later);
        assertFalse(channel.isOpen(), "a frame that does not end");
        channel = server.connectAndGreet();
        channel.pipeline().get(TmConnection.class).sweep(later + TimeUnit.MILLISECONDS.toNanos(EmbeddedServer.LIMITS.idleMillis()));
        assertFalse(channel.isOpen(), "idle");
    }

    /** The rest of a frame that dribbles in does not prolong its time. */
    @Test
    void dribblingDoesNotHelp() {
        long later = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EmbeddedServer.LIMITS.handshakeMillis() + 500);
        for (int i = 0; i < 3; i++) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0}));
        }
        channel.pipeline().get(TmConnection.class).sweep(later);
        assertFalse(channel.isOpen());
    }

    @Test
    void leaseIsCheckedOnReceipt() {
        server.lease.revoke();
        assertEquals(0, ask(out -> Wire.writePlain(out, Wire.BEGIN, 1)).size());
        assertFalse(channel.isOpen());
        channel = server.connect();
        assertRefused(ask(out -> Wire.writeHello(out, 1)), Wire.STANDBY, "not the primary");
    }

    /** The second look: between the requests and the flush of their answers. */
    @Test
    void leaseIsCheckedBeforeAnswersLeave() {
        ByteBuf request = Unpooled.buffer();
        Wire.writePlain(request, Wire.BEGIN, 1);
        channel.pipeline().fireChannelRead(request);
        server.lease.revoke();
        channel.pipeline().fireChannelReadComplete();
        assertEquals(0, EmbeddedServer.answers(channel).size());
        assertFalse(channel.isOpen());
    }

    @Test
    void nextTenureAbortsWhoBeganInTheLast() {
        long startTs = begin();
        server.serve(1_000_000);
        channel.finishAndReleaseAll();
        channel = server.connectAndGreet();
        assertEquals(TransactionManager.BELOW_WATERMARK, commit(startTs, new long[] {1}));
        assertTrue(begin() >= 1_000_000);
    }

    @Test
    void whoDoesNotReadIsNotReadFrom() {
        assertTrue(channel.config().isAutoRead());
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        assertFalse(channel.config().isAutoRead());
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();
        assertTrue(channel.config().isAutoRead());
    }
}
