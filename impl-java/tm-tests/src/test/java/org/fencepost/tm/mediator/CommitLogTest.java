package org.fencepost.tm.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;
import org.junit.jupiter.api.Test;

class CommitLogTest {

    private final List<LogRecord<String>> written = new ArrayList<>();
    private final Queue<Consumer<Exception>> pending = new ArrayDeque<>();
    private final List<String> answers = new ArrayList<>();
    private final CommitLog<String> log = new CommitLog<>((record, done) -> {
        written.add(record);
        pending.add(done);
    }, 100, Map.of(50L, true, 60L, false), 40);

    private void append(String name, LogRecord<String> record) {
        log.append(record, commits -> answers.add(name + " " + commits), failure -> answers.add(name + " " + failure.getMessage()));
    }

    private static LogRecord<String> commit(long commitTs) {
        return new LogRecord<>(commitTs - 1, commitTs, "writes of " + commitTs);
    }

    @Test
    void anAnswerComesWhenTheRecordIsDurable() {
        append("client", commit(110));
        assertEquals(List.of(), answers);
        assertNull(log.find(110), "not durable yet");
        pending.remove().accept(null);
        assertEquals(List.of("client true"), answers);
        assertEquals(commit(110), log.find(110));
    }

    @Test
    void theFirstRecordCountsAndOnlyItIsWritten() {
        append("helper", LogRecord.abort(110));
        append("client", commit(110));
        assertEquals(List.of(), answers, "neither is durable");
        pending.remove().accept(null);
        append("client again", commit(110));
        assertEquals(List.of("helper false", "client false", "client again false"), answers);
        assertEquals(List.of(LogRecord.abort(110)), written);
    }

    @Test
    void aCommitThatIsThereStays() {
        append("client", commit(110));
        append("helper", LogRecord.abort(110));
        pending.remove().accept(null);
        assertEquals(List.of("client true", "helper true"), answers);
    }

    @Test
    void whoComesFromAnEarlierOracleHearsWhatTheClosedLogSays() {
        append("in", commit(50));
        append("aborted", commit(60));
        append("not in", commit(70));
        append("deleted", commit(30));
        assertEquals(List.of("in true", "aborted false", "not in false", "deleted The log does not remember the transaction with commit timestamp 30."),
                answers);
        assertTrue(written.isEmpty());
    }

    @Test
    void afterAFailureNothingIsAppended() {
        append("first", commit(110));
        append("second", commit(120));
        pending.remove().accept(new IOException("fenced"));
        append("third", commit(130));
        append("first again", commit(110));
        String broken = " The log could not be written: fenced";
        assertEquals(List.of("first" + broken, "third" + broken, "first again" + broken), answers);
        pending.remove().accept(new IOException("fenced"));
        assertEquals("second" + broken, answers.get(3));
        assertEquals(2, written.size());
        assertTrue(log.isBroken());
    }

    @Test
    void whatIsForgottenIsNotTakenForAbsent() {
        append("client", commit(110));
        pending.remove().accept(null);
        log.settled(110);
        assertNull(log.find(110));
        append("client again", commit(110));
        log.forgetBelow(111);
        append("much later", commit(110));
        assertEquals(List.of("client true", "client again true",
                "much later The log does not remember the transaction with commit timestamp 110."), answers);
        assertEquals(1, written.size());
    }
}
