package org.fencepost.tm.server;

import io.netty.channel.EventLoop;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Wire;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the connections share: the present tenure, the metrics, and who is connected. All of it is confined to the one
 * serving thread; the thread that keeps the lease hands tenures over through {@link #serve} and {@link #halt}.
 *
 * <p>The lease is looked at when requests have been received, before any is carried out, and again before their answers
 * leave. Whatever was received while the lease held was asked for before any successor began.
 */
public final class TmService implements HighAvailability.Host {

    private static final Logger LOG = LoggerFactory.getLogger(TmService.class);
    private static final long SWEEP_MILLIS = 500;
    private static final long NOBODYS_SESSION = -1;

    private final EventLoop loop;
    private final Limits limits;
    private final long lifetimeMillis;
    private final int conflictEntries;
    private final int ownersSize;
    private final Metrics metrics = new Metrics();
    private final Admission admission;
    private final long[] hashes;
    private MediatorRequests mediator = new MediatorRequests(false, this);
    /** Null without Mediator. */
    private Opener mediatorOpener;
    /** Null unless this process is the primary. */
    private Tenure tenure;
    /** Drawn for each tenure: tells whether it is still the same one. */
    private long tenureNumber;
    private Owners owners;

    /** @param ownersSize timestamps whose owners are remembered */
    public TmService(EventLoop loop, Limits limits, long lifetimeMillis, int conflictEntries, int ownersSize, long leaseMillis) {
        this.loop = loop;
        this.limits = limits;
        this.lifetimeMillis = lifetimeMillis;
        this.conflictEntries = conflictEntries;
        this.ownersSize = ownersSize;
        this.hashes = new long[limits.maxWriteSet()];
        this.admission = new Admission(limits, metrics);
        loop.scheduleAtFixedRate(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        long watch = Math.max(5, leaseMillis / 20);
        loop.scheduleAtFixedRate(() -> mayServe(System.nanoTime()), watch, watch, TimeUnit.MILLISECONDS);
    }

    /** Who opens Mediator's oracle in a tenure: {@link MediatorService}. Called on the serving thread, but for close. */
    interface Opener extends AutoCloseable {

        void serve(Tenure tenure);

        void halt();

        @Override
        void close();
    }

    /** Before the first tenure. */
    void offerMediator(Opener opener) {
        mediator = new MediatorRequests(true, this);
        mediatorOpener = opener;
    }

    MediatorRequests mediator() {
        return mediator;
    }

    int maxFrame() {
        return mediator.maxFrame(limits);
    }

    // ---- tenures

    @Override
    public void serve(Tenure next) {
        loop.execute(() -> {
            tenure = next;
            tenureNumber = ThreadLocalRandom.current().nextLong();
            owners = new Owners(ownersSize, next.leap(), next.epoch());
            LOG.info("Primary of system {} from timestamp {} on; the timestamps last for {} at {} transactions a second.", next.identity(),
                    next.epoch(), TimestampSupply.text(next.epoch(), next.leap()), TimestampSupply.PER_SECOND / 2);
            if (mediatorOpener != null) {
                mediatorOpener.serve(next);
            }
        });
    }

    @Override
    public void halt(Tenure over, String why) {
        loop.execute(() -> {
            if (tenure == over) {
                halt(why);
            }
        });
    }

    /** True while the lease lasts. Halts when it finds that it does not. */
    boolean mayServe(long nowNanos) {
        if (tenure != null && !tenure.leaseHeld(nowNanos)) {
            halt("its lease ran out");
        }
        return tenure != null;
    }

    private void halt(String why) {
        LOG.warn("No longer primary: {}. Closing {} connections.", why, admission.size());
        metrics.halts++;
        tenure.halt();
        tenure.forget();
        tenure = null;
        owners = null;
        mediator.close();
        if (mediatorOpener != null) {
            mediatorOpener.halt();
        }
        closeAll("this process is no longer the primary");
    }

    // ---- requests; only while mayServe

    long epoch() {
        return tenure.epoch();
    }

    String identity() {
        return tenure.identity();
    }

    long tenureNumber() {
        return tenureNumber;
    }

    long begin(long session, long nowNanos) {
        metrics.begins++;
        long answer = tenure.begin(nowNanos);
        if (answer > 0) {
            owners.give(answer, session);
        }
        return counted(answer);
    }

    boolean begun(long startTs) {
        return tenure.begun(startTs);
    }

    /** Whose commit it would be is not known any more if so many have begun since: then it is too late. */
    long commit(long session, long startTs, long comparedUpTo, long[] writeSet, int keys, int tables, long receivedNanos) {
        long answer = switch (owner(startTs, session)) {
            case SELF, EARLIER -> tenure.requestCommit(startTs, comparedUpTo, writeSet, keys, tables, receivedNanos);
            case OTHER -> Wire.NOT_YOURS;
            case FORGOTTEN -> tenure.certify(startTs, comparedUpTo, writeSet, keys, tables, receivedNanos);
        };
        metrics.countCommit(answer);
        return counted(answer);
    }

    long commitBlindly(long session, long[] writeSet, int keys, long receivedNanos) {
        long answer = tenure.commitBlindly(writeSet, keys, receivedNanos);
        if (answer > 0) {
            owners.give(answer, session);
        }
        metrics.countCommit(answer);
        return counted(answer);
    }

    boolean renew(long session, long startTs, long receivedNanos) {
        metrics.others++;
        return owner(startTs, session) == Owners.Owner.SELF && tenure.renew(startTs, receivedNanos);
    }

    void end(long session, long startTs) {
        metrics.ends++;
        if (owner(startTs, session) == Owners.Owner.SELF) {
            tenure.end(startTs);
        }
    }

    /** A timestamp was given to a client. */
    void give(long ts, long session) {
        owners.give(ts, session);
    }

    /** Whether the session was given the timestamp. Counts the requests of those who were not. */
    Owners.Owner owner(long ts, long session) {
        Owners.Owner owner = owners.of(ts, session);
        if (owner == Owners.Owner.OTHER) {
            metrics.foreign++;
        }
        return owner;
    }

    long fence(long table) {
        metrics.fences++;
        return counted(tenure.fence(table));
    }

    /** Guard: who has been forgotten may have been certified and still count as active; see {@link #commit}. Anybody may ask. */
    boolean isPending(long startTs) {
        metrics.others++;
        Owners.Owner owner = owners.of(startTs, NOBODYS_SESSION);
        return owner == Owners.Owner.OTHER && tenure.isPending(startTs);
    }

    long collectableBelow(long nowNanos) {
        metrics.others++;
        return tenure.collectableBelow(nowNanos);
    }

    Condition condition(long nowNanos) {
        metrics.others++;
        return tenure.condition(nowNanos);
    }

    private long counted(long answer) {
        if (answer == Wire.NO_TIMESTAMPS) {
            metrics.noTimestamps++;
        }
        return answer;
    }

    /** Where a connection puts the hashes of the commit request in hand. */
    long[] hashes() {
        return hashes;
    }

    // ---- connections

    Limits limits() {
        return limits;
    }

    long lifetimeMillis() {
        return lifetimeMillis;
    }

    Metrics metrics() {
        return metrics;
    }

    Admission admission() {
        return admission;
    }

    /** Callable from any thread. */
    void authorize(Authorization changed) {
        loop.execute(() -> admission.authorize(changed));
    }

    void closeAll(String reason) {
        admission.connections().forEach(connection -> connection.close(reason));
    }

    private void sweep() {
        admission.sweep(System.nanoTime());
    }

    void close() {
        if (mediatorOpener != null) {
            mediatorOpener.close();
        }
    }

    String renderMetrics() {
        Condition condition = tenure == null ? null : tenure.condition(System.nanoTime());
        return metrics.render(condition, admission.size(), tenure == null ? 0 : tenure.conflictEntriesUsed(), conflictEntries)
                + (mediatorOpener == null ? "" : metrics.renderMediator(mediator.tso() == null ? null : mediator.tso().oracle()));
    }

    /** One line of JSON. */
    String renderHealth() {
        if (!mayServe(System.nanoTime())) {
            return "{\"status\":\"backup\"}\n";
        }
        Condition condition = tenure.condition(System.nanoTime());
        return "{\"status\":\"primary\",\"epoch\":" + condition.epoch() + ",\"leaseMillis\":" + condition.leaseNanos() / 1_000_000
                + ",\"nextTimestamp\":" + condition.nextTimestamp() + ",\"lowWatermark\":" + condition.lowWatermark()
                + ",\"connections\":" + admission.size()
                + (mediatorOpener == null ? "" : ",\"mediator\":\"" + (mediator.tso() == null ? "recovering" : "open") + "\"") + "}\n";
    }
}
