package org.fencepost.mediator;

import java.nio.ByteBuffer;
import org.fencepost.protocol.mediator.LogRecord;

/**
 * An entry of a ledger: a record, and how far everything had been written back when it was appended. As bytes:
 * {@code writtenBackBelow:int64 startTs:int64 commitTs:int64 commits:int8 writes}.
 */
record Entry(long writtenBackBelow, LogRecord<byte[]> record) {

    private static final int FIXED = 8 + 8 + 8 + 1;

    byte[] bytes() {
        byte[] writes = record.commits() ? record.writes() : new byte[0];
        return ByteBuffer.allocate(FIXED + writes.length).putLong(writtenBackBelow).putLong(record.startTs()).putLong(record.commitTs())
                .put((byte) (record.commits() ? 1 : 0)).put(writes).array();
    }

    /** Throws IllegalArgumentException if the bytes are none of {@link #bytes}. */
    static Entry parse(byte[] bytes) {
        if (bytes.length < FIXED) {
            throw new IllegalArgumentException("An entry of Mediator's log has " + bytes.length + " bytes, which no transaction manager wrote.");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long writtenBackBelow = in.getLong();
        long startTs = in.getLong();
        long commitTs = in.getLong();
        boolean commits = in.get() != 0;
        byte[] writes = new byte[in.remaining()];
        in.get(writes);
        return new Entry(writtenBackBelow, new LogRecord<>(startTs, commitTs, commits ? writes : null));
    }
}
