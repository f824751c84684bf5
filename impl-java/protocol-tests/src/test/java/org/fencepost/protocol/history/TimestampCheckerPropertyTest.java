package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;

/** Histories from a little database that is snapshot isolated by construction, as they are and with one thing changed. */
class TimestampCheckerPropertyTest {

    /** One committed write. */
    private record Version(int key, long version, long commitTs, boolean delete) {
    }

    private final List<Version> versions = new ArrayList<>();
    /** Even, so that odd timestamps are free for what is planted. */
    long time;

    private long tick() {
        time += 2;
        return time;
    }

    private final class Running {
        private final long startTs = tick();
        private final long begun = time;
        private final Set<Integer> written = new HashSet<>();
        private final List<Version> writes = new ArrayList<>();
        private final HistoryTransaction record = new HistoryTransaction(begun, startTs);

        void step(Random random, int keys) {
            int key = random.nextInt(keys);
            if (random.nextBoolean()) {
                record.read(key, written.contains(key) ? startTs : lastBefore(key, startTs));
            } else if (written.add(key)) {
                boolean delete = random.nextInt(5) == 0;
                writes.add(new Version(key, startTs, 0, delete));
                if (delete) {
                    record.delete(key);
                } else {
                    record.write(key);
                }
            }
        }

        HistoryTransaction end(Random random) {
            boolean conflict = versions.stream().anyMatch(v -> written.contains(v.key()) && v.commitTs() > startTs);
            if (conflict || random.nextInt(10) == 0) {
                return record.end(Outcome.ABORTED, 0, tick());
            }
            long commitTs = written.isEmpty() ? 0 : tick();
            writes.forEach(v -> versions.add(new Version(v.key(), v.version(), commitTs, v.delete())));
            return record.end(random.nextInt(10) == 0 ? Outcome.UNKNOWN : Outcome.COMMITTED, commitTs, tick());
        }
    }

    private long lastBefore(int key, long startTs) {
        return versions.stream().filter(v -> v.key() == key && v.commitTs() < startTs)
                .reduce((a, b) -> b).map(Version::version).orElse(0L);
    }

    /** A tenth of those that end well are recorded as unknown to their clients. */
    List<HistoryTransaction> generate(Random random, int keys, int transactions) {
        versions.clear();
        time = 0;
        List<HistoryTransaction> done = new ArrayList<>();
        List<Running> running = new ArrayList<>();
        while (done.size() < transactions) {
            if (running.size() < 5 && random.nextInt(4) == 0) {
                running.add(new Running());
            } else if (!running.isEmpty()) {
                Running next = running.get(random.nextInt(running.size()));
                if (random.nextInt(5) == 0) {
                    running.remove(next);
                    done.add(next.end(random));
                } else {
                    next.step(random, keys);
                }
            }
        }
        running.forEach(t -> done.add(t.end(random)));
        return done;
    }

    private static List<Violation> check(List<HistoryTransaction> transactions) {
        History history = new History();
        history.addAll(transactions);
        return TimestampChecker.check(history);
    }

    @Property(tries = 500)
    void snapshotIsolatedHistoriesPass(@ForAll Random random, @ForAll @IntRange(min = 1, max = 10) int keys) {
        assertEquals(List.of(), check(generate(random, keys, 60)));
    }

    /** Every read is determined, so any other version in its place is a violation. */
    @Property(tries = 500)
    void anyChangedReadIsFound(@ForAll Random random, @ForAll @IntRange(min = 1, max = 10) int keys) {
        List<HistoryTransaction> transactions = generate(random, keys, 60);
        HistoryTransaction reader = transactions.get(random.nextInt(transactions.size()));
        List<Operation> reads = reader.operations().stream().filter(op -> op.kind() == Kind.READ).toList();
        if (reads.isEmpty()) {
            return;
        }
        Operation read = reads.get(random.nextInt(reads.size()));
        long other = transactions.get(random.nextInt(transactions.size())).startTs();
        if (read.version() == other || onlyWitnessOfAnUnknown(transactions, read)) {
            return;
        }
        reader.operations().set(reader.operations().indexOf(read), new Operation(Kind.READ, read.key(), other));
        assertFalse(check(transactions).isEmpty(), () -> read + " became " + other + " in " + reader);
    }

    private static boolean onlyWitnessOfAnUnknown(List<HistoryTransaction> transactions, Operation read) {
        return transactions.stream().anyMatch(t -> t.startTs() == read.version() && t.outcome() == Outcome.UNKNOWN);
    }

    /** As when the manager forgets a conflict: one more writer of a key began before the commit of another and commits last. */
    @Property(tries = 500)
    void anyForgottenConflictIsFound(@ForAll Random random) {
        List<HistoryTransaction> transactions = generate(random, 3, 60);
        List<Version> known = versions.stream().filter(v -> transactions.stream()
                .anyMatch(t -> t.startTs() == v.version() && t.outcome() == Outcome.COMMITTED)).toList();
        Version first = known.get(random.nextInt(known.size()));
        HistoryTransaction second = new HistoryTransaction(0, first.commitTs() - 1);
        second.write(first.key());
        transactions.add(second.end(Outcome.COMMITTED, time + 1, time + 2));
        assertTrue(check(transactions).stream().anyMatch(v -> v.axiom() == Axiom.FirstCommitterWins));
    }

    /** As when the manager hands out timestamps from the past: one more transaction begins after all answers, below them. */
    @Property(tries = 500)
    void anyStaleTimestampIsFound(@ForAll Random random) {
        List<HistoryTransaction> transactions = generate(random, 3, 60);
        HistoryTransaction stale = new HistoryTransaction(time + 1, versions.get(random.nextInt(versions.size())).commitTs() - 1);
        boolean seesAll = transactions.stream().noneMatch(t -> t.outcome() == Outcome.COMMITTED && t.commitTs() > stale.startTs());
        transactions.add(stale.end(Outcome.COMMITTED, 0, time + 2));
        assertEquals(!seesAll, check(transactions).stream().anyMatch(v -> v.axiom() == Axiom.StrongSI));
    }
}
