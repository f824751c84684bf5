package org.fencepost.tm.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.mediator.Tso;
import org.fencepost.tm.wire.BadFrameException;
import org.fencepost.tm.wire.Wire;

/**
 * Mediator's requests (specs/Mediator.tla: Begin, TxTryCommit, TsoAbort, AppendLog, SettleEntry), as {@link Wire} has them: each goes to the oracle of the present
 * tenure. Between the beginning of a tenure and the end of its recovery there is none, and clients try again. Confined to
 * the serving thread.
 */
final class MediatorRequests {

    private static final long[] NOTHING = {};

    private final boolean offered;
    private final TmService service;
    /** Null unless the oracle is open. */
    private Tso<byte[]> tso;
    private Tenure tenure;

    /** @param offered false if this process was started without Mediator */
    MediatorRequests(boolean offered, TmService service) {
        this.offered = offered;
        this.service = service;
    }

    void open(Tenure of, Tso<byte[]> opened) {
        tenure = of;
        tso = opened;
    }

    void close() {
        tso = null;
        tenure = null;
    }

    /** Null unless the oracle is open. */
    Tso<byte[]> tso() {
        return tso;
    }

    /** The longest frame. */
    int maxFrame(Limits limits) {
        int longest = Math.max(Wire.APPEND_FIXED + Wire.LARGEST_WRITES, Wire.TX_TRY_COMMIT_FIXED + 3 * 8 * limits.maxWriteSet());
        return offered ? longest : limits.maxFrame();
    }

    /** @param length of the frame, its type included, which has been read */
    void handle(TmConnection connection, byte type, ByteBuf in, int length) throws BadFrameException {
        switch (type) {
            case Wire.TX_BEGIN -> begin(connection, in, length);
            case Wire.TX_TRY_COMMIT -> txTryCommit(connection, in, length);
            case Wire.TSO_ABORT -> {
                TmConnection.requireLength(length, 9);
                tsoAbort(connection, in.readLong());
            }
            case Wire.TX_COMMIT -> {
                TmConnection.requireLength(length, 9);
                txCommit(connection, in.readLong());
            }
            case Wire.APPEND -> appendLog(connection, in, length);
            default -> throw new BadFrameException("a frame of unknown type " + type);
        }
    }

    private void begin(TmConnection connection, ByteBuf in, int length) throws BadFrameException {
        TmConnection.requireLength(length, 13);
        int id = in.readInt();
        long known = in.readLong();
        if (isOpen(connection, id) && hasTimestamp(connection, id)) {
            metrics().mediatorBegins++;
            long startTs = tso.begin();
            service.give(startTs, connection.session());
            connection.answerBegun(id, startTs, known < 0 ? NOTHING : tso.oracle().changesSince(known));
        }
    }

    private void txTryCommit(TmConnection connection, ByteBuf in, int length) throws BadFrameException {
        int numbers = (length - Wire.TX_TRY_COMMIT_FIXED) / 8;
        if (length < Wire.TX_TRY_COMMIT_FIXED || (length - Wire.TX_TRY_COMMIT_FIXED) % 8 != 0) {
            throw new BadFrameException("a commit request of " + length + " bytes");
        }
        int id = in.readInt();
        long startTs = in.readLong();
        int keys = in.readInt();
        if (keys < 0 || keys > numbers || (numbers - keys) % 2 != 0) {
            throw new BadFrameException("a commit request whose " + numbers + " numbers are not " + keys + " and pairs");
        }
        long[] writes = Wire.readLongs(in, keys);
        long[] conflicts = Wire.readLongs(in, (numbers - keys) / 2);
        long[] since = Wire.readLongs(in, (numbers - keys) / 2);
        if (isOpen(connection, id) && hasTimestamp(connection, id)) {
            requireGiven(startTs);
            if (!connection.takesKeys(id, keys + conflicts.length)) {
                return;
            }
            long answer = tso.txTryCommit(startTs, writes, conflicts, since);
            metrics().countMediatorCommit(answer);
            if (answer > 0) {
                service.give(answer, connection.session());
            }
            connection.answer(id, answer);
        }
    }

    private void tsoAbort(TmConnection connection, long commitTs) {
        if (tso != null && isOwn(connection, commitTs)) {
            tso.tsoAbort(commitTs);
        }
    }

    private void txCommit(TmConnection connection, long commitTs) {
        if (tso != null && isOwn(connection, commitTs)) {
            tso.settleEntry(commitTs, true);
        }
    }

    /** Whether the entry is of this client. What is older than anybody remembers is left to the helper. */
    private boolean isOwn(TmConnection connection, long commitTs) {
        return service.owner(commitTs, connection.session()) == Owners.Owner.SELF;
    }

    private void appendLog(TmConnection connection, ByteBuf in, int length) throws BadFrameException {
        if (length < Wire.APPEND_FIXED) {
            throw new BadFrameException("a record of " + length + " bytes");
        }
        int id = in.readInt();
        long startTs = in.readLong();
        long commitTs = in.readLong();
        boolean commits = in.readBoolean();
        byte[] writes = ByteBufUtil.getBytes(in, in.readerIndex(), length - Wire.APPEND_FIXED);
        in.skipBytes(writes.length);
        if (isOpen(connection, id)) {
            requireGiven(commitTs);
            metrics().mediatorRecords++;
            switch (service.owner(commitTs, connection.session())) {
                // Of an earlier tenure's transaction nothing is appended, only told.
                case SELF, EARLIER -> append(connection, id, new LogRecord<>(startTs, commitTs, commits ? writes : null));
                case OTHER -> connection.answer(id, Wire.NOT_YOURS);
                default -> connection.answer(id, Wire.UNKNOWN);
            }
        }
    }

    private void append(TmConnection connection, int id, LogRecord<byte[]> record) {
        Tso<byte[]> asked = tso;
        Tenure of = tenure;
        asked.append(record, committed -> connection.answerLater(id, committed ? 1 : 0), failure -> {
            if (asked.isBroken()) {
                service.halt(of, "Mediator's log could not be written: " + failure.getMessage()); // the next oracle will tell the client
            } else {
                connection.answerLater(id, Wire.UNKNOWN);
            }
        });
    }

    private void requireGiven(long timestamp) throws BadFrameException {
        if (!tenure.begun(timestamp)) {
            throw new BadFrameException("a request about timestamp " + timestamp + ", which was never given");
        }
    }

    private boolean isOpen(TmConnection connection, int id) {
        if (tso == null) {
            connection.answer(id, offered ? Wire.RECOVERING : Wire.NO_MEDIATOR);
        }
        return tso != null;
    }

    private boolean hasTimestamp(TmConnection connection, int id) {
        boolean has = tenure.hasTimestamp();
        if (!has) {
            metrics().noTimestamps++;
            connection.answer(id, Wire.NO_TIMESTAMPS);
        }
        return has;
    }

    private Metrics metrics() {
        return service.metrics();
    }
}
