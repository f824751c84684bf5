package org.fencepost.simulation.mediator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers;

/**
 * Mediator's log on disk: one ledger for each oracle, with one writer. A record is durable at once or a little later, in the
 * order in which they came; of those that are not when the ledger is closed, some are in it and some are not.
 *
 * <p>It also keeps the truth for the judge: which transactions commit.
 */
final class LedgerServer implements Ledgers<Map<String, Long>> {

    private record Pending(LogRecord<Map<String, Long>> record, Consumer<Exception> done) {
    }

    /** Of one oracle. */
    private final class One implements Ledger<Map<String, Long>> {

        private final Queue<Pending> pending = new ArrayDeque<>();
        private boolean closed;

        @Override
        public void append(LogRecord<Map<String, Long>> record, Consumer<Exception> done) {
            if (closed) {
                done.accept(new Exception("another oracle has closed the log"));
                return;
            }
            pending.add(new Pending(record, done));
            if (random.nextBoolean() && pending.size() == 1) {
                acknowledge();
            } else {
                scheduler.after(1 + random.nextLong(2 * plan.latency(random)), this::acknowledge);
            }
        }

        private void acknowledge() {
            Pending next = pending.poll();
            if (next != null) {
                store(next.record());
                next.done().accept(null);
            }
        }

        void close() {
            closed = true;
            for (int i = random.nextInt(pending.size() + 1); i > 0; i--) {
                store(pending.remove().record());
            }
            pending.clear(); // the oracle that waited for them is dead
        }
    }

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final List<LogRecord<Map<String, Long>>> records = new ArrayList<>();
    private final Map<Long, LogRecord<Map<String, Long>>> first = new HashMap<>();
    private One open;

    LedgerServer(Plan plan, Scheduler scheduler, EventLog log) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.random = plan.random("ledgers");
        this.open = new One();
    }

    @Override
    public Closed<Map<String, Long>> closeLog() {
        open.close();
        return new Closed<>(List.copyOf(records), 0, 0);
    }

    @Override
    public Ledger<Map<String, Long>> create() {
        open = new One();
        return open;
    }

    private void store(LogRecord<Map<String, Long>> record) {
        records.add(record);
        first.putIfAbsent(record.commitTs(), record);
        log.served("Record", "commit", record.commitTs(), "commits", record.commits());
        log.change("log", Long.toString(record.commitTs()), "record " + record.commitTs(), "", record.commits() ? "commit" : "abort");
    }

    /** Whether the first record of the transaction commits it. For the judge only. */
    boolean commits(long commitTs) {
        return first.containsKey(commitTs) && first.get(commitTs).commits();
    }
}
