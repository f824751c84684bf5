package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The same where commit entries are with leaders. There is no commit table, and a client that has committed has commit cells to write alone. */
class LeaderDeathTest extends ClientDeathTest {

    @Override
    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        fixture.withLeaders();
        setUp(fixture, fixture.leaderTable());
    }

    @Override
    String commitPoint() {
        return "store.checkAndMutate";
    }

    @Override
    List<String> afterCommit() {
        return List.of("store.putCommitCells");
    }

    /** Markers go with a compaction. */
    @Override
    void assertNothingLeft(String moment) throws Exception {
        hbase.expireAll();
        hbase.janitor(client).pass();
        assertEquals(0, hbase.janitor(client).leftovers(), "death " + moment);
        hbase.compact(table.name());
        List<String> cells = hbase.stored(table.name());
        for (String cell : cells) {
            String key = cell.substring(0, cell.indexOf('=')).replaceAll("[@!>]", "?");
            for (String kind : List.of("@", "!", ">")) {
                assertTrue(cells.stream().anyMatch(other -> other.startsWith(key.replace("?", kind) + "=")), "lone " + cell + ", death " + moment);
            }
            assertTrue(!cell.endsWith("=-1"), "marked " + cell + ", death " + moment);
        }
    }
}
