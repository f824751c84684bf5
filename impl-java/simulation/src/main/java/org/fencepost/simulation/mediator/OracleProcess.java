package org.fencepost.simulation.mediator;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Luck;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.mediator.Tso;
import org.fencepost.tm.mediator.WriteBack;

/**
 * The status oracle's process. It serves requests one at a time, and dies; then it is started again, and recovers. Only what is
 * durable outlives it: the log, and the bound of its timestamps (specs/TMFailover.tla tells how that is kept).
 */
final class OracleProcess implements Runnable {

    static final String NAME = "oracle 1";
    /** How many timestamps the durable bound is ahead. */
    private static final int BLOCK = 8;

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final Luck luck;
    private final LedgerServer ledgers;
    private final WriteBack<Map<String, Long>> database;
    private final BooleanSupplier needed;
    /** Null while it is dead, or recovers. */
    private Tso<Map<String, Long>> tso;
    private long clock;
    /** Durable: no timestamp at or above it was given. */
    private long bound;

    OracleProcess(Plan plan, Scheduler scheduler, EventLog log, LedgerServer ledgers, WriteBack<Map<String, Long>> database,
            BooleanSupplier needed) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.random = plan.random(NAME);
        this.luck = new Luck(plan, random);
        this.ledgers = ledgers;
        this.database = database;
        this.needed = needed;
    }

    void heal() {
        luck.heal();
    }

    /** Null while nobody serves. */
    Tso<Map<String, Long>> tso() {
        return tso;
    }

    /** The last timestamp that was given. */
    long clock() {
        return clock;
    }

    // ---- from one death to the next

    /** Returns when nobody needs it for now; goes on when called again. */
    @Override
    public void run() {
        while (needed.getAsBoolean()) {
            if (tso != null) {
                scheduler.pauseUntilChanged(NAME, 1, plan.leaseNanos());
                continue;
            }
            try {
                recover();
            } catch (StoreException | Death e) {
                scheduler.pause(1 + plan.latency(random)); // it begins again
            }
        }
    }

    private void recover() {
        Recovery<Map<String, Long>> recovery = new Recovery<>(ledgers, database, log);
        scheduler.pause(latency());
        recovery.closeLog();
        scheduler.pause(latency());
        while (recovery.replay()) {
            scheduler.pause(latency());
        }
        long epoch = clockAfterRecovery();
        clock = epoch;
        bound = epoch + BLOCK * plan.leap();
        tso = recovery.openTso(plan.mediator().ringEntries, this::timestamp, epoch);
        scheduler.changed(NAME);
    }

    private long latency() {
        return luck.isFaulty() ? plan.latency(random) : 1;
    }

    /** Guard (erratum to SYSTOR'14 sec. 2): the clock goes on after the last timestamp that was given. */
    private long clockAfterRecovery() {
        return bound;
    }

    private long timestamp() {
        clock += plan.leap();
        if (clock >= bound) {
            bound = clock + BLOCK * plan.leap();
        }
        return clock;
    }

    private void crash() {
        log.fault(Fault.ORACLE_CRASH, "clock", clock);
        log.change(NAME, NAME, "state", "serves", "dead");
        tso = null;
    }

    // ---- requests

    /** @throws TransactionManagerException if it is dead, or dies before it answers */
    <T> T serve(Function<Tso<Map<String, Long>>, T> request) {
        requireUp();
        if (luck.strikes(Fault.RING_EVICTION)) {
            log.fault(Fault.RING_EVICTION);
            tso.oracle().evict();
            tso.tidy();
        }
        T answer = request.apply(tso);
        scheduler.changed("ring");
        if (luck.strikes(Fault.ORACLE_CRASH)) {
            crash();
            throw new TransactionManagerException("the status oracle died before it answered");
        }
        return answer;
    }

    private void requireUp() {
        if (tso == null) {
            throw new TransactionManagerException("no status oracle serves");
        }
    }

    /** Where the answer to an append arrives. */
    private static final class Answer {
        private Boolean commits;
        private StoreException failed;
    }

    /** Waits for the answer, unless nobody does. Throws {@link StoreException} if there is none. */
    boolean append(LogRecord<Map<String, Long>> record) {
        Tso<Map<String, Long>> mine = tso;
        if (mine == null) {
            throw new StoreException("no status oracle writes the log");
        }
        Answer answer = new Answer();
        String arrival = "answer to the record of " + record.commitTs();
        mine.append(record, commits -> {
            answer.commits = commits;
            scheduler.changed(arrival);
        }, failed -> {
            answer.failed = failed;
            scheduler.changed(arrival);
        });
        if (luck.strikes(Fault.ORACLE_CRASH)) {
            crash();
        }
        while (answer.commits == null && answer.failed == null && tso == mine && !scheduler.inEvent()) {
            scheduler.pauseUntilChanged(arrival, 1, plan.latency(random));
        }
        if (tso != mine || answer.commits == null) {
            throw answer.failed != null ? answer.failed : new StoreException("no answer from the log");
        }
        return answer.commits;
    }
}
