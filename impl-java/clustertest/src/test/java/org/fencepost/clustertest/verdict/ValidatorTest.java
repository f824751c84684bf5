package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.list;
import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;

/** Each defect of a history that adya lets pass. */
class ValidatorTest {

    private static Histories good() {
        return new Histories().op(Type.ok, 0, txn("append", 1, 1, "r", 2, null), txn("append", 1, 1, "r", 2, list()))
                .op(Type.fail, 1, txn("append", 1, 2), txn("append", 1, 2))
                .op(Type.info, 1, txn("append", 1, 3), txn("append", 1, 3))
                .line(Type.info, "nemesis", "anything at all")
                .op(Type.ok, 0, txn("r", 1, null), txn("r", 1, list(1, 3)));
    }

    private static void assertDefect(String expected, Histories history, boolean lists) {
        List<String> defects = Validator.defects(history.all(), lists);
        assertTrue(defects.stream().anyMatch(defect -> defect.contains(expected)), expected + " is not in " + defects);
    }

    @Test
    void aGoodHistoryHasNone() {
        assertEquals(List.of(), Validator.defects(good().all(), true));
        assertEquals(List.of(), Validator.defects(new Histories().op(Type.ok, 0, txn("w", 1, 1, "r", 1, null, "r", 2, null),
                txn("w", 1, 1, "r", 1, 1, "r", 2, null)).all(), false));
    }

    @Test
    void anOperationWithoutCompletion() {
        assertDefect("was never completed", good().line(Type.invoke, 5L, txn("append", 1, 9)), true);
    }

    @Test
    void aCompletionWithoutInvocation() {
        assertDefect("completes what was not invoked", good().line(Type.ok, 5L, txn("append", 1, 9)), true);
    }

    @Test
    void twoInvocationsOfAProcessAtOnce() {
        assertDefect("before the operation of its process", good().line(Type.invoke, 0L, txn("r", 1, null)).op(Type.ok, 0, txn("r", 1, null), txn("r", 1, list())), true);
    }

    @Test
    void aProcessThatGoesOnAfterInfo() {
        assertDefect("ended with an unknown outcome before", good().op(Type.ok, 1, txn("r", 1, null), txn("r", 1, list())), true);
    }

    @Test
    void anInfoThatForgetsItsOperations() {
        assertDefect("other micro-operations", new Histories().op(Type.info, 0, txn("append", 1, 1), null), true);
        assertDefect("other micro-operations", new Histories().op(Type.info, 0, txn("append", 1, 1), txn("append", 1, 2)), true);
        assertDefect("other micro-operations", new Histories().op(Type.ok, 0, txn("append", 1, 1), txn("append", 2, 1)), true);
    }

    @Test
    void aValueWrittenTwice() {
        assertDefect("writes 1 to key 1, as another one does", good().op(Type.ok, 0, txn("append", 1, 1), txn("append", 1, 1)), true);
        assertDefect("writes 1 to key 1, as another one does", good().op(Type.fail, 0, txn("append", 1, 1), txn("append", 1, 1)), true);
    }

    @Test
    void aListWithAValueTwice() {
        assertDefect("a value twice", good().op(Type.ok, 0, txn("r", 1, null), txn("r", 1, list(1, 1))), true);
    }

    @Test
    void aValueThatNobodyWrote() {
        assertDefect("reads 7 from key 1, which nobody wrote there", good().op(Type.ok, 0, txn("r", 1, null), txn("r", 1, list(1, 7))), true);
        assertDefect("reads 1 from key 2, which nobody wrote there", good().op(Type.ok, 0, txn("r", 2, null), txn("r", 2, list(1))), true);
        assertDefect("reads 7 from key 1", new Histories().op(Type.ok, 0, txn("r", 1, null), txn("r", 1, 7)), false);
    }

    @Test
    void anotherWorkload() {
        assertDefect("micro-operation w", good().op(Type.ok, 0, txn("w", 1, 9), txn("w", 1, 9)), true);
        assertDefect("micro-operation append", good(), false);
        assertDefect("has the function read, not txn", good().line("read", Type.invoke, 0L, txn("r", 1, null)).line("read", Type.ok, 0L, txn("r", 1, list())), true);
        assertDefect("has no micro-operations", good().op(Type.ok, 0, null, null), true);
        assertDefect("writes nothing", good().op(Type.ok, 0, txn("append", 1, null), txn("append", 1, null)), true);
        assertDefect("knows before it reads", good().op(Type.ok, 0, txn("r", 1, list(1)), txn("r", 1, list(1))), true);
    }

    @Test
    void nilForAnEmptyListAndAListForARegister() {
        assertDefect("no list, not even an empty one", good().op(Type.ok, 0, txn("r", 2, null), txn("r", 2, null)), true);
        assertDefect("a list", new Histories().op(Type.ok, 0, txn("r", 2, null), txn("r", 2, list())), false);
    }
}
