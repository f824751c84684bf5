package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.list;
import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;

class AcknowledgedTest {

    private static Histories append(Histories history, Type type, long process, int value) {
        return history.op(type, process, txn("append", 1, value), txn("append", 1, value));
    }

    private static Histories read(Histories history, Object... found) {
        return history.op(Type.ok, 9, txn("r", 1, null), List.of(List.of("r", 1L, list(found))));
    }

    private static List<String> lost(Histories history) {
        return Acknowledged.lost(history.all());
    }

    @Test
    void whatWasAnsweredIsThere() {
        assertEquals(List.of(), lost(read(append(append(new Histories(), Type.ok, 0, 1), Type.ok, 1, 2), 1, 2)));
    }

    @Test
    void whatWasAnsweredIsLostAndToldOnce() {
        Histories history = append(append(new Histories(), Type.ok, 0, 1), Type.ok, 1, 2);
        assertEquals(1, lost(read(read(history, 2), 2)).size());
    }

    @Test
    void nobodyPromisedWhatFailedOrGotNoAnswer() {
        assertEquals(List.of(), lost(read(append(append(append(new Histories(), Type.ok, 0, 1), Type.fail, 1, 2), Type.info, 2, 3), 1)));
    }

    @Test
    void aReadThatWasAskedForBeforeTheLastAnswerTellsNothing() {
        Histories history = append(new Histories(), Type.ok, 0, 1).line(Type.invoke, 9L, txn("r", 1, null));
        append(history, Type.ok, 1, 2).line(Type.ok, 9L, List.of(List.of("r", 1L, list(1))));
        assertEquals(List.of(), lost(history));
    }
}
