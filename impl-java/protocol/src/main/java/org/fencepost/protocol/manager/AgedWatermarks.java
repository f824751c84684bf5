package org.fencepost.protocol.manager;

import java.util.ArrayDeque;
import java.util.Deque;
import org.fencepost.protocol.Clock;

/**
 * The watermarks that the transaction manager has allowed to a {@code Collector}, kept until they are old enough.
 *
 * <p>When the manager allows a watermark, all puts below it that can matter have been sent; or their transaction was certified before, and
 * they depart soon or never (OmidLL.requireDeparts). So when the longest time that this may take, and then a request may be under way, has
 * passed since then, no copy of them can arrive any more: the specification's NoPutInFlight. The age counts from after the manager's answer; from before the question, a put that was sent between
 * question and answer would be given too little time.
 *
 * <p>Not thread-safe.
 */
public final class AgedWatermarks {

    private record Allowed(long watermark, long sinceNanos) {
    }

    private final TransactionManager manager;
    private final Clock clock;
    private final long graceNanos;
    private final Deque<Allowed> allowed = new ArrayDeque<>();

    /** @param graceNanos on this clock, longer than a put may depart after its certification, and any request to the store can be under way, retries included, together */
    public AgedWatermarks(TransactionManager manager, Clock clock, long graceNanos) {
        this.manager = manager;
        this.clock = clock;
        this.graceNanos = graceNanos;
    }

    /**
     * Asks the manager for one more, and returns the highest of those that are old enough and that were not returned
     * yet; 0 if there is none. So the first call returns 0, unless the grace is 0. Throws
     * {@link TransactionManagerException} if the manager did not answer.
     */
    public long next() {
        long watermark = manager.collectableBelow();
        long now = clock.nanos();
        allowed.addLast(new Allowed(watermark, now));
        long oldEnough = 0;
        while (!allowed.isEmpty() && now - allowed.peekFirst().sinceNanos() >= graceNanos) {
            oldEnough = Math.max(oldEnough, allowed.removeFirst().watermark());
        }
        return oldEnough;
    }
}
