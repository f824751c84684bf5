package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.tm.mediator.RingReplica;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.Test;

class MediatorRequestsTest {

    private static final long[] KEYS = {7, 8};

    private final EmbeddedServer server = new EmbeddedServer(true);
    private EmbeddedChannel channel = server.connectAndGreet();

    private List<ByteBuf> ask(Consumer<ByteBuf> request) {
        ByteBuf out = Unpooled.buffer();
        request.accept(out);
        channel.writeInbound(out);
        return EmbeddedServer.answers(channel);
    }

    private long answer(Consumer<ByteBuf> request) {
        ByteBuf answer = ask(request).get(0);
        assertEquals(Wire.ANSWER, answer.readByte());
        assertEquals(5, answer.readInt());
        return answer.readLong();
    }

    private long begin(RingReplica replica) {
        ByteBuf answer = ask(out -> Wire.writeTxBegin(out, 5, replica.revision())).get(0);
        assertEquals(Wire.BEGUN, answer.readByte());
        assertEquals(5, answer.readInt());
        long startTs = answer.readLong();
        replica.apply(Wire.readLongs(answer, answer.readableBytes() / 8));
        return startTs;
    }

    private long tryCommit(long startTs) {
        return answer(out -> Wire.writeTxTryCommit(out, 5, startTs, KEYS, KEYS, new long[] {startTs, startTs}));
    }

    private long append(long commitTs, byte[] writes) {
        return answer(out -> Wire.writeAppend(out, 5, new LogRecord<>(1, commitTs, writes)));
    }

    @Test
    void aTransactionFromBeginToCommit() {
        RingReplica replica = new RingReplica();
        long startTs = begin(replica);
        long late = begin(replica);
        long commitTs = tryCommit(startTs);
        assertTrue(commitTs > late);
        begin(replica);
        assertEquals(commitTs, replica.snapshot().latestCommitted(8));
        assertEquals(1, append(commitTs, new byte[] {1, 2}));
        assertEquals(1, append(commitTs, null), "the first record counts");
        assertArrayEquals(new byte[] {1, 2}, server.log.records.get(0).writes());
        assertEquals(List.of(), ask(out -> Wire.writeSettled(out, Wire.TX_COMMIT, commitTs)));
        begin(replica);
        assertEquals(0, replica.snapshot().latestCommitted(8));
        assertEquals(TransactionManager.CONFLICT, tryCommit(late));
    }

    @Test
    void anAbortMakesRoomForOthers() {
        RingReplica replica = new RingReplica();
        long startTs = begin(replica);
        long late = begin(replica);
        long commitTs = tryCommit(startTs);
        ask(out -> Wire.writeSettled(out, Wire.TSO_ABORT, commitTs));
        assertTrue(tryCommit(late) > commitTs);
    }

    @Test
    void aNewTenureKnowsWhatIsInTheLogAndAbortsTheRest() {
        RingReplica replica = new RingReplica();
        long logged = tryCommit(begin(replica));
        append(logged, new byte[] {1});
        ask(out -> Wire.writeSettled(out, Wire.TX_COMMIT, logged));
        long startTs = begin(replica);
        long unlogged = tryCommit(startTs);
        server.serve(1000);
        channel = server.connectAndGreet();
        assertEquals(TransactionManager.BELOW_WATERMARK, tryCommit(startTs));
        assertEquals(1, append(logged, new byte[] {1}));
        assertEquals(0, append(unlogged, new byte[] {1}));
        assertTrue(begin(replica) >= 1000);
        assertEquals(0, replica.snapshot().latestCommitted(8));
    }

    /** Neither abort nor commit nor record: only who entered it, and the helper. */
    @Test
    void nobodySettlesAnothersEntry() {
        RingReplica replica = new RingReplica();
        long startTs = begin(replica);
        long late = begin(replica);
        long commitTs = tryCommit(startTs);
        EmbeddedChannel own = channel;
        channel = server.connectAndGreet(666);
        assertEquals(List.of(), ask(out -> Wire.writeSettled(out, Wire.TX_COMMIT, commitTs)));
        assertEquals(List.of(), ask(out -> Wire.writeSettled(out, Wire.TSO_ABORT, commitTs)));
        assertEquals(Wire.NOT_YOURS, append(commitTs, null));
        assertEquals(Wire.NOT_YOURS, append(commitTs, new byte[] {6}));
        assertEquals(4, server.service.metrics().foreign);
        assertEquals(TransactionManager.CONFLICT, tryCommit(late), "the entry counts");
        assertTrue(server.service.mediator().tso().oracle().isActive(commitTs));
        assertEquals(List.of(), server.log.records);
        channel = own;
        assertEquals(1, append(commitTs, new byte[] {1}));
        ask(out -> Wire.writeSettled(out, Wire.TX_COMMIT, commitTs));
        assertFalse(server.service.mediator().tso().oracle().isActive(commitTs));
    }

    @Test
    void aReconnectedClientSettlesItsEntry() {
        long commitTs = tryCommit(begin(new RingReplica()));
        channel = server.connectAndGreet();
        assertEquals(1, append(commitTs, new byte[] {1}));
        ask(out -> Wire.writeSettled(out, Wire.TX_COMMIT, commitTs));
        assertFalse(server.service.mediator().tso().oracle().isActive(commitTs));
    }

    @Test
    void aRecoveringOracleSaysSo() {
        server.service.mediator().close();
        assertEquals(Wire.RECOVERING, answer(out -> Wire.writeTxBegin(out, 5, -1)));
        assertEquals(Wire.RECOVERING, append(1, new byte[0]));
        assertEquals(List.of(), ask(out -> Wire.writeSettled(out, Wire.TSO_ABORT, 1)));
    }

    @Test
    void aServerWithoutMediatorSaysSo() {
        channel = new EmbeddedServer().connectAndGreet();
        assertEquals(Wire.NO_MEDIATOR, answer(out -> Wire.writeTxBegin(out, 5, -1)));
    }

    @Test
    void brokenRulesCloseTheConnection() {
        long startTs = begin(new RingReplica());
        assertBroken(out -> out.writeInt(5).writeByte(Wire.TX_BEGIN).writeInt(0), "a request of 5 bytes");
        assertBroken(out -> out.writeInt(18).writeByte(Wire.TX_TRY_COMMIT).writeZero(17), "a commit request of 18 bytes");
        assertBroken(out -> out.writeInt(25).writeByte(Wire.TX_TRY_COMMIT).writeInt(1).writeLong(startTs).writeInt(2).writeLong(0), "1 numbers are not 2");
        assertBroken(out -> out.writeInt(25).writeByte(Wire.TX_TRY_COMMIT).writeInt(1).writeLong(startTs).writeInt(-1).writeLong(0), "1 numbers are not -1");
        assertBroken(out -> Wire.writeTxTryCommit(out, 1, startTs + 1, KEYS, KEYS, KEYS), "which was never given");
        assertBroken(out -> out.writeInt(21).writeByte(Wire.APPEND).writeZero(20), "a record of 21 bytes");
        assertBroken(out -> Wire.writeAppend(out, 1, LogRecord.abort(startTs + 1)), "which was never given");
        assertBroken(out -> out.writeInt(Wire.APPEND_FIXED + Wire.LARGEST_WRITES + 1), "are allowed");
    }

    private void assertBroken(Consumer<ByteBuf> request, String reason) {
        channel.finishAndReleaseAll();
        channel = server.connectAndGreet();
        ByteBuf answer = ask(request).get(0);
        assertEquals(Wire.GOODBYE, answer.readByte());
        assertEquals(Wire.REFUSED, answer.readByte());
        assertTrue(answer.toString(StandardCharsets.UTF_8).contains(reason), () -> answer.toString(StandardCharsets.UTF_8));
    }
}
