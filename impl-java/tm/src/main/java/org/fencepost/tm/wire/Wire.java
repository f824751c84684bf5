package org.fencepost.tm.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import org.fencepost.protocol.mediator.LogRecord;

/**
 * The frames between client and transaction manager, version {@value #VERSION}. Numbers are big-endian. A frame is
 * {@code length:int32}, the number of bytes after it; {@code type:int8}; and the fields of its type:
 *
 * <pre>
 * client to manager
 *   HELLO      magic:int32  version:int16                                             first frame, once; the same in all versions
 *   SESSION    session:int64                                                          second frame, once; not 0
 *   BEGIN      id:int32                                                               ANSWER: start timestamp
 *   COMMIT     id:int32  startTs:int64  tables:uint16  hash:int64 ...  table:int64 ...  ANSWER: commit timestamp or why not
 *   COMMIT_AGAIN  id:int32  startTs:int64  comparedUpTo:int64  tables:uint16  hash:int64 ...  table:int64 ...
 *                                                                                     ANSWER: as COMMIT; compared with what was certified since then
 *   COMMIT_BLINDLY  id:int32  hash:int64 ...                                          ANSWER: start and commit timestamp in one
 *   END        startTs:int64                                                          no answer; ignored if another session began it
 *   RENEW      id:int32  startTs:int64                                                ANSWER: 1 if the transaction lives for another lifetime from
 *                                                                                     now on, 0 if it was given up, or another session began it
 *   FENCE      id:int32  table:int64                                                  ANSWER: fence timestamp
 *   PENDING    id:int32  startTs:int64                                                ANSWER: 1 if it surely has not asked to commit, else 0
 *   WATERMARK  id:int32                                                               ANSWER: collectable timestamp
 *   HEALTH     id:int32                                                               CONDITION
 *   TX_BEGIN   id:int32  known:int64                                                  BEGUN; known: revision of the ring, -1 if it is not wanted
 *   TX_TRY_COMMIT  id:int32  startTs:int64  writes:int32  write:int64 ...  conflict:int64 ...  since:int64 ...
 *                                                                                     ANSWER: commit timestamp or why not
 *   TSO_ABORT  commitTs:int64                                                         no answer; ignored if another session's
 *   TX_COMMIT  commitTs:int64                                                         no answer; ignored if another session's
 *   APPEND     id:int32  startTs:int64  commitTs:int64  commits:int8  writes:bytes    ANSWER: 1 if the first record commits, 0 if it aborts
 *
 * manager to client
 *   WELCOME    version:int16  tenure:int64  epoch:int64  lifetimeMillis:int64  maxWriteSet:int32  identity:UTF-8
 *                                                                                     answer to SESSION
 *   ANSWER     id:int32  value:int64                                                  a timestamp, or a negative code
 *   BEGUN      id:int32  startTs:int64  change:int64 ...                              see StatusOracle.changesSince
 *   CONDITION  id:int32  epoch:int64  leaseNanos:int64  nextTs:int64  lowWatermark:int64  limit:int64
 *   GOODBYE    code:int8  reason:UTF-8                                                the last frame; then the manager closes
 * </pre>
 *
 * Requests are answered in the order in which they were sent, but for APPEND, which waits for the log; the id, chosen by the
 * client, comes back. TX_BEGIN to APPEND are Mediator's: {@code MediatorRequests}.
 *
 * <p>The session is a number that a client draws at random, keeps to itself and takes along to its next connection: what it has begun, or
 * entered into Mediator's ring, is its own ({@code Owners}). Whoever can listen on the network learns it: use TLS where that is not trusted.
 *
 * <p>The epoch, told by WELCOME, holds for every answer on the connection: a manager that loses its lease closes all of
 * them. A frame that breaks these rules, or a limit of {@code Limits}, closes its connection. A request that the client's {@code Role}
 * does not allow is answered so; one that has no answer closes the connection.
 */
public final class Wire {

    public static final int MAGIC = 0x46505453; // "FPTS"
    public static final short VERSION = 2;

    public static final byte HELLO = 1;
    public static final byte BEGIN = 2;
    public static final byte COMMIT = 3;
    public static final byte END = 4;
    public static final byte FENCE = 5;
    public static final byte WATERMARK = 6;
    public static final byte HEALTH = 7;

    public static final byte TX_BEGIN = 8;
    public static final byte TX_TRY_COMMIT = 9;
    public static final byte TSO_ABORT = 10;
    public static final byte TX_COMMIT = 11;
    public static final byte APPEND = 12;
    public static final byte SESSION = 13;
    public static final byte COMMIT_AGAIN = 14;
    public static final byte RENEW = 15;
    public static final byte PENDING = 16;
    public static final byte COMMIT_BLINDLY = 17;

    public static final byte WELCOME = 65;
    public static final byte ANSWER = 66;
    public static final byte CONDITION = 67;
    public static final byte GOODBYE = 68;
    public static final byte BEGUN = 69;

    /** The longest first frame, of any version: a stranger need not be given room for more. */
    public static final int LONGEST_HELLO = 64;
    /** Bytes of the length field. */
    public static final int HEADER = 4;
    /** Bytes of a COMMIT from its type to its first hash. */
    public static final int COMMIT_FIXED = 1 + 4 + 8 + 2;
    /** The same of a COMMIT_AGAIN. */
    public static final int COMMIT_AGAIN_FIXED = COMMIT_FIXED + 8;
    public static final int ANSWER_LENGTH = 1 + 4 + 8;
    /** Bytes of a TX_TRY_COMMIT, and of an APPEND, from their type on to what varies. */
    public static final int TX_TRY_COMMIT_FIXED = 1 + 4 + 8 + 4;
    public static final int APPEND_FIXED = 1 + 4 + 8 + 8 + 1;
    /** A record's write set; BookKeeper's limit is somewhat higher. */
    public static final int LARGEST_WRITES = 4 << 20;

    /** ANSWER: the epoch is used up and ZooKeeper has not granted more timestamps yet. Nothing was done; try again. */
    public static final long NO_TIMESTAMPS = -21;
    /** ANSWER: the oracle is not there yet, it recovers. Nothing was done; try again. */
    public static final long RECOVERING = -22;
    /** ANSWER: this transaction manager was started without Mediator. */
    public static final long NO_MEDIATOR = -23;
    /** ANSWER to APPEND: whether the record is in the log, or what it says, is not known. */
    public static final long UNKNOWN = -24;
    /** ANSWER to COMMIT, COMMIT_AGAIN or APPEND: the transaction is another session's. Nothing was done. */
    public static final long NOT_YOURS = -25;

    /** ANSWER: the client's role does not allow the request. Nothing was done. */
    public static final long FORBIDDEN = -30;
    /** ANSWER to COMMIT, COMMIT_AGAIN, COMMIT_BLINDLY or TX_TRY_COMMIT: the client has put too many keys into the conflict table lately. Nothing was done. */
    public static final long TOO_MANY_KEYS = -31;

    /** GOODBYE: this process is not the primary. */
    public static final byte STANDBY = 1;
    /** GOODBYE: too many connections. */
    public static final byte FULL = 2;
    /** GOODBYE: the client broke a rule or a limit. */
    public static final byte REFUSED = 3;
    /** GOODBYE: the client speaks another version; reconnecting will not help. */
    public static final byte INCOMPATIBLE = 4;
    /** GOODBYE: the client's certificate is not listed; reconnecting will not help. */
    public static final byte UNAUTHORIZED = 5;

    private static final int LONGEST_TEXT = 1024;

    private Wire() {
    }

    /** Whether it is a request that gets an answer: its id comes first then. */
    public static boolean isAnswered(byte type) {
        return switch (type) {
            case BEGIN, COMMIT, COMMIT_AGAIN, COMMIT_BLINDLY, RENEW, FENCE, PENDING, WATERMARK, HEALTH, TX_BEGIN, TX_TRY_COMMIT, APPEND -> true;
            default -> false;
        };
    }

    /** HELLO and SESSION. */
    public static void writeHello(ByteBuf out, long session) {
        out.writeInt(1 + 4 + 2).writeByte(HELLO).writeInt(MAGIC).writeShort(VERSION);
        out.writeInt(1 + 8).writeByte(SESSION).writeLong(session);
    }

    public static void writeWelcome(ByteBuf out, long tenure, long epoch, long lifetimeMillis, int maxWriteSet, String identity) {
        byte[] name = identity.getBytes(StandardCharsets.UTF_8);
        out.writeInt(1 + 2 + 8 + 8 + 8 + 4 + name.length).writeByte(WELCOME).writeShort(VERSION).writeLong(tenure).writeLong(epoch)
                .writeLong(lifetimeMillis).writeInt(maxWriteSet).writeBytes(name);
    }

    /** BEGIN, WATERMARK or HEALTH. */
    public static void writePlain(ByteBuf out, byte type, int id) {
        out.writeInt(1 + 4).writeByte(type).writeInt(id);
    }

    public static void writeCommit(ByteBuf out, int id, long startTs, long[] writeSet, long[] tables) {
        out.ensureWritable(HEADER + COMMIT_FIXED + 8 * (writeSet.length + tables.length));
        out.writeInt(COMMIT_FIXED + 8 * (writeSet.length + tables.length));
        out.writeByte(COMMIT).writeInt(id).writeLong(startTs);
        writeHashes(out, writeSet, tables);
    }

    /** @param comparedUpTo the transaction's first commit timestamp */
    public static void writeCommitAgain(ByteBuf out, int id, long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        out.writeInt(COMMIT_AGAIN_FIXED + 8 * (writeSet.length + tables.length));
        out.writeByte(COMMIT_AGAIN).writeInt(id).writeLong(startTs).writeLong(comparedUpTo);
        writeHashes(out, writeSet, tables);
    }

    public static void writeCommitBlindly(ByteBuf out, int id, long[] writeSet) {
        out.writeInt(1 + 4 + 8 * writeSet.length).writeByte(COMMIT_BLINDLY).writeInt(id);
        writeLongs(out, writeSet);
    }

    private static void writeHashes(ByteBuf out, long[] writeSet, long[] tables) {
        out.writeShort(tables.length);
        writeLongs(out, writeSet);
        writeLongs(out, tables);
    }

    private static void writeLongs(ByteBuf out, long[] numbers) {
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    public static void writeEnd(ByteBuf out, long startTs) {
        out.writeInt(1 + 8).writeByte(END).writeLong(startTs);
    }

    /**
     * RENEW, FENCE or PENDING.
     *
     * @param subject the start timestamp, or the table
     */
    public static void writeOne(ByteBuf out, byte type, int id, long subject) {
        out.writeInt(1 + 4 + 8).writeByte(type).writeInt(id).writeLong(subject);
    }

    /** @param known -1 if the ring is not wanted */
    public static void writeTxBegin(ByteBuf out, int id, long known) {
        out.writeInt(1 + 4 + 8).writeByte(TX_BEGIN).writeInt(id).writeLong(known);
    }

    public static void writeTxTryCommit(ByteBuf out, int id, long startTs, long[] writes, long[] conflicts, long[] since) {
        out.writeInt(TX_TRY_COMMIT_FIXED + 8 * (writes.length + 2 * conflicts.length));
        out.writeByte(TX_TRY_COMMIT).writeInt(id).writeLong(startTs).writeInt(writes.length);
        for (long[] part : new long[][] {writes, conflicts, since}) {
            writeLongs(out, part);
        }
    }

    /** TSO_ABORT or TX_COMMIT. */
    public static void writeSettled(ByteBuf out, byte type, long commitTs) {
        out.writeInt(1 + 8).writeByte(type).writeLong(commitTs);
    }

    public static void writeAppend(ByteBuf out, int id, LogRecord<byte[]> record) {
        byte[] writes = record.commits() ? record.writes() : new byte[0];
        out.writeInt(APPEND_FIXED + writes.length).writeByte(APPEND).writeInt(id).writeLong(record.startTs())
                .writeLong(record.commitTs()).writeBoolean(record.commits()).writeBytes(writes);
    }

    public static void writeBegun(ByteBuf out, int id, long startTs, long[] changes) {
        out.writeInt(ANSWER_LENGTH + 8 * changes.length).writeByte(BEGUN).writeInt(id).writeLong(startTs);
        writeLongs(out, changes);
    }

    /** As many as are there. */
    public static long[] readLongs(ByteBuf in, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }

    public static void writeAnswer(ByteBuf out, int id, long value) {
        out.ensureWritable(HEADER + ANSWER_LENGTH);
        out.writeInt(ANSWER_LENGTH).writeByte(ANSWER).writeInt(id).writeLong(value);
    }

    public static void writeCondition(ByteBuf out, int id, Condition condition) {
        out.writeInt(1 + 4 + 5 * 8).writeByte(CONDITION).writeInt(id).writeLong(condition.epoch()).writeLong(condition.leaseNanos())
                .writeLong(condition.nextTimestamp()).writeLong(condition.lowWatermark()).writeLong(condition.limit());
    }

    public static void writeGoodbye(ByteBuf out, byte code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LONGEST_TEXT);
        out.writeInt(1 + 1 + length).writeByte(GOODBYE).writeByte(code).writeBytes(text, 0, length);
    }

    /** What remains of a GOODBYE after its code, and of a WELCOME after its numbers. */
    public static String readText(ByteBuf in) {
        int length = in.readableBytes();
        byte[] text = ByteBufUtil.getBytes(in, in.readerIndex(), length);
        in.skipBytes(length);
        return new String(text, StandardCharsets.UTF_8);
    }
}
