package org.fencepost.hbase;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * With the oracle where it belongs: in a transaction manager, of which the primary is killed again and again, the helper with it,
 * in recovery, too, and its log on bookies; all of these are processes of their own.
 */
@ExtendWith(Fixture.Extension.class)
class MediatorKillTest extends MediatorWorkload {

    private static final long SPAN = 1 << 10;
    /** About as long as a recovery takes. */
    private static final int RECOVERS_MILLIS = 1_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;
    private MediatorProcesses processes;
    /** Operations, native ones included, on an average. */
    private int killedAfter;

    private void start(Fixture fixture) throws Exception {
        fixture.withSpan(SPAN);
        processes = fixture.closing(new MediatorProcesses(directory, fixture.conf, SPAN));
        use(fixture, SPAN, processes.manager, processes.oracle);
        TestManagers.up(fixture.commits, processes.manager);
    }

    /** Small ones of the same kind. */
    @Test
    @Tag("long")
    void mixedTraffic(Fixture fixture) throws Exception {
        start(fixture);
        killedAfter = 200;
        runAll(400, 3, Map.of("kill", 4, "died", 1), 0.5);
    }

    @Test
    @Tag("evidence")
    void mixedTrafficAtLength(Fixture fixture) throws Exception {
        start(fixture);
        killedAfter = 1_000;
        Map<String, Integer> must = new HashMap<>(Map.of("kill", 48, "kill in recovery", 2, "MANAGER_UNREACHABLE", 8, "SETTLED", 5, WRITE_SKEW, 3));
        for (String what : List.of("replayed", "helper committed", "helper aborted", "died", "unknown", "move", "CONFLICT", "NATIVE_CONFLICT",
                "UNREADABLE", "LocalCommit", "EndReadOnly")) {
            must.put(what, 20);
        }
        runAll(17_000, 16, must, 0, 0.5, 0.9);
    }

    /** After some operations, so that however slow the machine is there are some; or while it recovers. */
    @Override
    void killOracle(SplittableRandom random) throws Exception {
        if (random.nextInt(3) == 0) {
            processes.awaitPrimary();
            Thread.sleep(random.nextInt(RECOVERS_MILLIS));
        } else {
            processes.awaitOracle();
            awaitOperations(random.nextInt(2 * killedAfter));
        }
        if (processes.killPrimary()) {
            count("kill in recovery");
        }
        count("kill");
    }

    @Override
    void settle() {
        processes.settle();
    }

    @Override
    void tell() throws Exception {
        MediatorProcesses.Done done = processes.done();
        count("tenure", done.tenures());
        count("lease lost", done.leasesLost());
        count("replayed", done.replayed());
        count("helper committed", done.helperCommitted());
        count("helper aborted", done.helperAborted());
    }
}
