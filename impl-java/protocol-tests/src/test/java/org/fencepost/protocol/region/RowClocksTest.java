package org.fencepost.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowClocksTest {

    private final RowClocks<Integer> clocks = new RowClocks<>(Integer::intValue);

    @Test
    void aBatchComesOnceAndAfterTheReadsOfItsRows() {
        clocks.lift(1, 10);
        assertFalse(clocks.liftBelow(List.of(1), 10));
        assertTrue(clocks.liftBelow(List.of(1), 11));
        assertFalse(clocks.liftBelow(List.of(1), 11), "a copy");
        assertTrue(clocks.liftBelow(List.of(2), 5), "another row");
        assertFalse(clocks.liftBelow(List.of(3, 1), 11), "one of two rows is read");
        assertFalse(clocks.liftBelow(List.of(3), 11), "and the other is lifted all the same");
    }

    @Test
    void rowsOfABatchMayShareAClock() {
        List<Integer> many = IntStream.range(0, 10_000).boxed().toList();
        assertTrue(clocks.liftBelow(many, 1));
        assertFalse(clocks.liftBelow(many, 1));
    }

    @Test
    void whoReadsManyRowsLiftsAll() {
        clocks.liftAll(20);
        assertFalse(clocks.liftBelow(List.of(7), 20));
        assertTrue(clocks.liftBelow(List.of(8), 21));
    }

    @Test
    void fewRowsHaveClocksOfTheirOwn() {
        List<Integer> few = IntStream.range(0, 16).boxed().toList();
        long apart = few.stream().filter(row -> clocks.liftBelow(List.of(row), 100 - row)).count();
        assertEquals(few.size(), apart);
    }
}
