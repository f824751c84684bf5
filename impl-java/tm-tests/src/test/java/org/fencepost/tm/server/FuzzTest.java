package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.Test;

/**
 * Frames of all kinds, well-formed and not, in pieces of all sizes. Whatever one client sends: every answer that comes
 * is a frame, a client that behaves is served as if alone, and no memory stays behind.
 */
class FuzzTest {

    private static final int REQUESTS = 1_000_000;
    private static final long[] NONE = {};

    @Test
    void aMillionFramesDisturbNoOne() {
        EmbeddedServer server = new EmbeddedServer(true);
        EmbeddedChannel good = server.connectAndGreet();
        long last = 0;
        int closed = 0;
        for (long seed = 0; requests(server) < REQUESTS; seed++) {
            closed += attack(server, new Random(seed)) ? 1 : 0;
            last = beginAbove(good, last, seed);
        }
        good.finishAndReleaseAll();
        assertEquals(0, server.heldBytes(), "buffers that were not released");
        assertTrue(closed > 1_000 && server.service.metrics().connectionsRefused == closed, "only " + closed + " connections were broken");
        System.out.println("FuzzTest: " + requests(server) + " requests understood, " + closed + " connections closed for what they sent");
    }

    private static long requests(EmbeddedServer server) {
        Metrics metrics = server.service.metrics();
        return metrics.begins + metrics.commits + metrics.ends + metrics.fences + metrics.others + metrics.mediatorBegins
                + metrics.mediatorCommits + metrics.mediatorConflicts + metrics.mediatorBelowWatermark + metrics.mediatorRecords;
    }

    /** One connection and up to 200 frames. Returns whether it was closed. */
    private boolean attack(EmbeddedServer server, Random random) {
        EmbeddedChannel channel = random.nextInt(10) == 0 ? server.connect()
                : server.connectAndGreet(random.nextBoolean() ? EmbeddedServer.SESSION : 666);
        ByteBuf bytes = Unpooled.buffer();
        int count = 1 + random.nextInt(200);
        boolean hostile = random.nextInt(3) > 0;
        for (int i = 0; i < count; i++) {
            int start = bytes.writerIndex();
            writeFrame(bytes, random);
            if (hostile && random.nextInt(100) == 0) {
                damage(bytes, start, random);
            }
        }
        while (bytes.isReadable() && channel.isOpen()) {
            int piece = Math.min(bytes.readableBytes(), 1 + random.nextInt(random.nextBoolean() ? 20 : 2000));
            channel.writeInbound(bytes.readBytes(piece));
            EmbeddedServer.answers(channel);
        }
        boolean closed = !channel.isOpen();
        channel.finishAndReleaseAll();
        return closed;
    }

    static void writeFrame(ByteBuf out, Random random) {
        switch (random.nextInt(17)) {
            case 0, 1 -> Wire.writePlain(out, Wire.BEGIN, random.nextInt());
            case 2 -> Wire.writeEnd(out, random.nextLong());
            case 3 -> Wire.writeOne(out, random.nextBoolean() ? Wire.FENCE : Wire.RENEW, random.nextInt(), random.nextInt(5));
            case 4 -> Wire.writePlain(out, Wire.WATERMARK, random.nextInt());
            case 5 -> Wire.writePlain(out, Wire.HEALTH, random.nextInt());
            case 6 -> Wire.writeTxBegin(out, random.nextInt(), random.nextInt(200) - 1);
            case 7 -> {
                long[] reads = random.longs(random.nextInt(5), 0, 9).toArray();
                Wire.writeTxTryCommit(out, random.nextInt(), 1, random.longs(random.nextInt(5), 0, 9).toArray(), reads, random.longs(reads.length, 0, 2_000_000).toArray());
            }
            case 8, 9 -> Wire.writeSettled(out, random.nextBoolean() ? Wire.TSO_ABORT : Wire.TX_COMMIT, random.nextInt(2_000_000));
            case 10 -> Wire.writeAppend(out, random.nextInt(), new LogRecord<>(1, 1, random.nextBoolean() ? new byte[random.nextInt(50)] : null));
            case 11, 12 -> Wire.writeCommitAgain(out, random.nextInt(), 1, 1 + random.nextInt(3), random.longs(random.nextInt(20)).toArray(),
                    random.longs(random.nextInt(3)).toArray());
            case 13 -> Wire.writeOne(out, Wire.PENDING, random.nextInt(), random.nextLong());
            case 14 -> Wire.writeCommitBlindly(out, random.nextInt(), random.longs(random.nextInt(20)).toArray());
            // Start timestamp 1 has always begun: a good client began first.
            default -> Wire.writeCommit(out, random.nextInt(), 1, random.longs(random.nextInt(20)).toArray(),
                    random.longs(random.nextInt(3)).toArray());
        }
    }

    static void damage(ByteBuf bytes, int start, Random random) {
        int length = bytes.writerIndex() - start;
        switch (random.nextInt(5)) {
            case 0 -> bytes.setByte(start + random.nextInt(length), random.nextInt());
            case 1 -> bytes.writerIndex(start + random.nextInt(length));
            case 2 -> bytes.setInt(start, random.nextInt());
            case 3 -> bytes.setInt(start, bytes.getInt(start) + random.nextInt(17) - 8);
            default -> {
                byte[] noise = new byte[1 + random.nextInt(300)];
                random.nextBytes(noise);
                bytes.writeBytes(noise);
            }
        }
    }

    private static long beginAbove(EmbeddedChannel good, long last, long seed) {
        ByteBuf request = Unpooled.buffer();
        Wire.writePlain(request, Wire.BEGIN, (int) seed);
        good.writeInbound(request);
        List<ByteBuf> answers = EmbeddedServer.answers(good);
        assertEquals(1, answers.size());
        assertEquals(Wire.ANSWER, answers.get(0).readByte());
        assertEquals((int) seed, answers.get(0).readInt());
        long timestamp = answers.get(0).readLong();
        assertTrue(timestamp > last);
        return timestamp;
    }

    /** How the bytes are cut into packets makes no difference to the answers. */
    @Property(tries = 300)
    void answersDoNotDependOnPackets(@ForAll long seed) {
        assertEquals(conversation(seed, 1 << 20), conversation(seed, 30));
    }

    private static List<String> conversation(long seed, int largestPiece) {
        Random random = new Random(seed);
        EmbeddedChannel channel = new EmbeddedServer().connectAndGreet();
        ByteBuf bytes = Unpooled.buffer();
        Wire.writePlain(bytes, Wire.BEGIN, 1);
        for (int i = 0; i < 60; i++) {
            if (random.nextBoolean()) {
                Wire.writePlain(bytes, Wire.BEGIN, i);
            } else {
                Wire.writeCommit(bytes, i, 1, random.longs(random.nextInt(4), 0, 10).toArray(), NONE);
            }
        }
        Random pieces = new Random(~seed);
        List<String> answers = new ArrayList<>();
        while (bytes.isReadable()) {
            int piece = Math.min(bytes.readableBytes(), 1 + pieces.nextInt(largestPiece));
            channel.writeInbound(bytes.readBytes(piece));
            EmbeddedServer.answers(channel).forEach(answer -> answers.add(ByteBufUtil.hexDump(answer)));
        }
        channel.finishAndReleaseAll();
        return answers;
    }
}
