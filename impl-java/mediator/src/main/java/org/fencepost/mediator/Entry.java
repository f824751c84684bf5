package org.fencepost.mediator;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.fencepost.protocol.mediator.LogRecord;

/**
 * An entry of a ledger: records that were appended together, and how far everything had been written back then. As bytes:
 * {@code writtenBackBelow:int64}, and for each record {@code startTs:int64 commitTs:int64 commits:int8 length:int32 writes}.
 */
record Entry(long writtenBackBelow, List<LogRecord<byte[]>> records) {

    private static final byte[] NONE = {};
    private static final int HEAD = 8;
    private static final int FIXED = 8 + 8 + 1 + 4;

    /** Of a record in an entry. */
    static int length(LogRecord<byte[]> record) {
        return FIXED + writes(record).length;
    }

    private static byte[] writes(LogRecord<byte[]> record) {
        return record.commits() ? record.writes() : NONE;
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(HEAD + records.stream().mapToInt(Entry::length).sum()).putLong(writtenBackBelow);
        for (LogRecord<byte[]> record : records) {
            byte[] writes = writes(record);
            out.putLong(record.startTs()).putLong(record.commitTs()).put((byte) (record.commits() ? 1 : 0)).putInt(writes.length).put(writes);
        }
        return out.array();
    }

    /** Throws IllegalArgumentException if the bytes are none of {@link #bytes}. */
    static Entry parse(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            long writtenBackBelow = in.getLong();
            List<LogRecord<byte[]>> records = new ArrayList<>();
            while (in.hasRemaining()) {
                long startTs = in.getLong();
                long commitTs = in.getLong();
                boolean commits = in.get() != 0;
                byte[] writes = new byte[Math.min(in.getInt(), in.remaining() + 1)]; // too long to be read if the length is not true
                in.get(writes);
                records.add(new LogRecord<>(startTs, commitTs, commits ? writes : null));
            }
            return new Entry(writtenBackBelow, records);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("An entry of Mediator's log has " + bytes.length + " bytes, which no transaction manager wrote.", e);
        }
    }
}
