package org.fencepost.hbase.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;

/**
 * A transaction as those know it who have it from somebody else: region servers that filter and aggregate for it, and populate an index. It goes with a
 * read as an attribute, in {@value #FIXED} bytes and the commit table's name, and is checked when it is read.
 *
 * @param startTs     of the transaction
 * @param readLevel   the last own level that is read; -1 for none
 * @param writeLevel  at which it writes
 * @param all         whether all own levels are to be returned, and not the last one alone
 * @param span        of the tables, as the client knows it
 * @param fence       that it began above, to populate an index; {@link Timestamps#NIL} for none
 * @param commitTable as the client knows it
 */
public record TransactionState(long startTs, int readLevel, int writeLevel, boolean all, long span, long fence, TableName commitTable) {

    private static final String ATTRIBUTE = "fencepost.transaction";
    private static final String POPULATES = "fencepost.populates";
    /** Apache Phoenix's own, on what a region server puts for a statement: what the provider has encoded, and a byte of Phoenix's. */
    private static final String STATEMENT = "_TxState";
    private static final byte FORMAT = 2;
    private static final int FIXED = 1 + Long.BYTES + 1 + 1 + 1 + Long.BYTES + Long.BYTES;
    private static final int LONGEST_NAME = 255;

    public TransactionState {
        if (!Timestamps.isTimestamp(startTs) || span < 1 || startTs % span != 0 || readLevel < -1 || readLevel > writeLevel
                || writeLevel >= Versions.LEVELS || writeLevel > 0 && writeLevel >= span
                || fence != Timestamps.NIL && (!Timestamps.isTimestamp(fence) || fence >= startTs || fence % span != 0)) {
            throw new IllegalArgumentException("No transaction starts at " + startTs + " with a span of " + span + ", reads level " + readLevel
                    + " and writes level " + writeLevel + (fence == Timestamps.NIL ? "." : ", above a fence at " + fence + "."));
        }
    }

    /** tau_w: the version of what it writes. */
    public long writePoint() {
        return startTs + writeLevel;
    }

    /** tau_r: up to here a read goes. */
    public long readPoint() {
        return startTs + readLevel;
    }

    public byte[] encode() {
        byte[] name = commitTable.getNameAsString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED + name.length).put(FORMAT).putLong(startTs).put((byte) readLevel).put((byte) writeLevel)
                .put((byte) (all ? 1 : 0)).putLong(span).putLong(fence).put(name).array();
    }

    /**
     * @param length how many of the bytes there are, from the first one on
     * @throws DoNotRetryIOException if they are no transaction
     */
    public static TransactionState decode(byte[] bytes, int length) throws DoNotRetryIOException {
        if (length <= FIXED || length > FIXED + LONGEST_NAME || bytes[0] != FORMAT) {
            throw wrong("it has " + length + " bytes, or another format");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, length - 1);
        try {
            long startTs = in.getLong();
            int readLevel = in.get();
            int writeLevel = in.get();
            byte all = in.get();
            if (all != 0 && all != 1) {
                throw wrong("it has a flag " + all);
            }
            long span = in.getLong();
            long fence = in.getLong();
            byte[] name = new byte[in.remaining()];
            in.get(name);
            return new TransactionState(startTs, readLevel, writeLevel, all == 1, span, fence, TableName.valueOf(new String(name, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private static DoNotRetryIOException wrong(String what) {
        return new DoNotRetryIOException("A transaction that came with a request makes no sense, " + what.replaceAll("[^\\p{Print}]", "?")
                + ": use a client of the servers' version of Fencepost.");
    }

    public void attachTo(Query read) {
        read.setAttribute(ATTRIBUTE, encode());
    }

    /** Null if there is none. Throws DoNotRetryIOException if it makes no sense. */
    public static TransactionState of(Query read) throws DoNotRetryIOException {
        byte[] state = read.getAttribute(ATTRIBUTE);
        return state == null ? null : decode(state, state.length);
    }

    // ---- populating

    /** Marks an index row that a region server puts for the statement that populates the index. */
    public static Put populates(Put put) {
        put.setAttribute(POPULATES, new byte[0]);
        return put;
    }

    /** Of whom a put populates an index; null if it does not. Throws DoNotRetryIOException if that makes no sense. */
    public static TransactionState ofPopulating(Put put) throws DoNotRetryIOException {
        if (put.getAttribute(POPULATES) == null) {
            return null;
        }
        byte[] state = put.getAttribute(STATEMENT);
        TransactionState builder = state == null || state.length == 0 ? null : decode(state, state.length - 1);
        if (builder == null || builder.fence == Timestamps.NIL) {
            throw new DoNotRetryIOException("An index is populated above a fence only: by CREATE INDEX, not ASYNC.");
        }
        return builder;
    }
}
