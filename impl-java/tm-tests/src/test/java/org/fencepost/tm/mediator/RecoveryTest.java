package org.fencepost.tm.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** Helper and recovery over a log in memory that loses nothing and can be closed. */
class RecoveryTest {

    private static final long EPOCH = 100;

    private final MemoryLedgers<String> ledgers = new MemoryLedgers<>();
    private final List<String> database = new ArrayList<>();
    private boolean down;
    private long clock = EPOCH;
    private Tso<String> tso = recover(0);

    private void writeBack(String writes, long commitTs) {
        if (down) {
            throw new StoreException("The database is down.");
        }
        database.add(writes + "@" + commitTs);
    }

    private Tso<String> recover(long epoch) {
        Recovery<String> recovery = new Recovery<>(ledgers, this::writeBack, Tracer.OFF);
        recovery.closeLog();
        while (recovery.replay()) {
            // until there is none left
        }
        return recovery.openTso(4, () -> clock += 10, epoch);
    }

    private long enter(long key) {
        long startTs = tso.begin();
        return tso.txTryCommit(startTs, new long[] {key}, new long[] {key}, new long[] {startTs});
    }

    private static String append(Tso<String> tso, LogRecord<String> record) {
        String[] said = {"nothing"};
        tso.append(record, commits -> said[0] = commits.toString(), failure -> said[0] = failure.getMessage());
        return said[0];
    }

    private void settle(long commitTs) {
        new Helper<>(new Helper.Oracle<String>() {
            @Override
            public LogRecord<String> find(long ts) {
                return tso.find(ts);
            }

            @Override
            public boolean append(LogRecord<String> record) {
                return Boolean.parseBoolean(RecoveryTest.append(tso, record));
            }

            @Override
            public void settleEntry(long ts, boolean committed) {
                tso.settleEntry(ts, committed);
            }
        }, this::writeBack, Tracer.OFF).settle(commitTs);
    }

    @Test
    void theHelperWritesBackWhatIsInTheLog() {
        long commitTs = enter(1);
        append(tso, new LogRecord<>(1, commitTs, "w"));
        settle(commitTs);
        assertEquals(List.of("w@" + commitTs), database);
        assertEquals(0, tso.active().length);
    }

    @Test
    void theHelperAbortsWhatIsNotByARecord() {
        long late = tso.begin();
        long commitTs = enter(1);
        settle(commitTs);
        assertEquals(0, tso.active().length);
        assertEquals("false", append(tso, new LogRecord<>(1, commitTs, "w")));
        assertEquals(List.of(), database);
        assertTrue(tso.txTryCommit(late, new long[] {1}, new long[] {1}, new long[] {late}) > 0, "an aborted entry does not count");
    }

    /** The client's record comes between the helper's look and its abort. */
    @Test
    void theHelperMayLoseAgainstTheClient() {
        long commitTs = enter(1);
        boolean[] looked = {false};
        new Helper<>(new Helper.Oracle<String>() {
            @Override
            public LogRecord<String> find(long ts) {
                LogRecord<String> found = tso.find(ts);
                if (!looked[0]) {
                    looked[0] = true;
                    RecoveryTest.append(tso, new LogRecord<>(1, ts, "w"));
                }
                return found;
            }

            @Override
            public boolean append(LogRecord<String> record) {
                return Boolean.parseBoolean(RecoveryTest.append(tso, record));
            }

            @Override
            public void settleEntry(long ts, boolean committed) {
                assertTrue(committed);
                tso.settleEntry(ts, committed);
            }
        }, this::writeBack, Tracer.OFF).settle(commitTs);
        assertEquals(List.of("w@" + commitTs), database);
    }

    @Test
    void anEntryStaysActiveWhileTheDatabaseIsDown() {
        long commitTs = enter(1);
        append(tso, new LogRecord<>(1, commitTs, "w"));
        down = true;
        assertThrows(StoreException.class, () -> settle(commitTs));
        assertEquals(1, tso.active().length);
    }

    @Test
    void aNewOracleWritesBackWhatIsInTheLogAndClosesItToOthers() {
        long logged = enter(1);
        long aborted = enter(2);
        long unlogged = enter(3);
        append(tso, new LogRecord<>(1, logged, "w"));
        append(tso, LogRecord.abort(aborted));
        Tso<String> old = tso;
        long startTs = old.begin();
        tso = recover(clock + 10);
        assertEquals(List.of("w@" + logged), database);
        assertEquals("The log could not be written: closed", append(old, new LogRecord<>(1, unlogged, "w")));
        assertTrue(old.isBroken());
        assertEquals("true", append(tso, new LogRecord<>(1, logged, "w")));
        assertEquals("false", append(tso, new LogRecord<>(1, aborted, "w")));
        assertEquals("false", append(tso, new LogRecord<>(1, unlogged, "w")));
        assertEquals(TransactionManager.BELOW_WATERMARK, tso.txTryCommit(startTs, new long[] {9}, new long[] {9}, new long[] {startTs}));
    }

    @Test
    void theFirstRecordCountsInAReplayToo() {
        long commitTs = enter(1);
        ledgers.records.add(LogRecord.abort(commitTs));
        ledgers.records.add(new LogRecord<>(1, commitTs, "w"));
        recover(clock + 10);
        assertEquals(List.of(), database);
    }

    @Test
    void whatWasWrittenBackIsNotReplayed() {
        long one = enter(1);
        long two = enter(2);
        append(tso, new LogRecord<>(1, one, "one"));
        append(tso, new LogRecord<>(1, two, "two"));
        tso.settleEntry(one, true);
        tso.tidy();
        tso = recover(clock + 10);
        assertEquals(List.of("two@" + two), database);
        assertEquals("true", append(tso, new LogRecord<>(1, one, "one")));
    }

    @Test
    void nobodyIsServedBeforeAllIsReplayed() {
        append(tso, new LogRecord<>(1, enter(1), "w"));
        down = true;
        Recovery<String> recovery = new Recovery<>(ledgers, this::writeBack, Tracer.OFF);
        assertThrows(IllegalStateException.class, () -> recovery.openTso(4, () -> 0, 0));
        recovery.closeLog();
        assertThrows(StoreException.class, recovery::replay);
        assertThrows(IllegalStateException.class, () -> recovery.openTso(4, () -> 0, 0));
    }

    @Test
    void theLogRemembersWhatTheRingDoes() {
        long first = enter(1);
        append(tso, new LogRecord<>(1, first, "w"));
        tso.settleEntry(first, true);
        tso.tidy();
        assertEquals("true", append(tso, new LogRecord<>(1, first, "w")));
        tso.oracle().evict();
        tso.tidy();
        assertEquals("The log does not remember the transaction with commit timestamp " + first + ".", append(tso, new LogRecord<>(1, first, "w")));
        assertEquals("true", append(tso, new LogRecord<>(1, enter(2), "w")));
    }
}
