package org.fencepost.simulation.world;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Everything that a simulated run may suffer. A plan switches each on or off, and says how often. */
public enum Fault {

    DEATH("a client or a collector dies: its last request is carried out, or not, or later"),
    STALL("an actor pauses between two steps, for longer than transactions live"),
    HELD_BACK("an actor waits before a call until others have changed what it is about"),
    LOST_REQUEST("a request never arrives"),
    LOST_ANSWER("a request is carried out, and its answer is lost"),
    LATE_WRITE("a write to the store is reported as lost and arrives later"),
    DOUBLED_WRITE("a write to the store arrives once more after it was answered"),
    LATE_ENTRY("a write to the commit table is reported as lost and arrives later"),
    LATE_REQUEST("a request to the transaction manager is reported as lost and arrives later"),
    MANAGER_CRASH("a transaction manager dies between allocation and reply; the next one knows no conflicts"),
    MANAGER_RESTART("a transaction manager's process dies between two steps, and is started again"),
    MANAGER_PAUSE("a transaction manager's process pauses between two steps, until others have given timestamps, or past its lease"),
    SESSION_LOSS("a transaction manager does not reach ZooKeeper for a while"),
    ZOOKEEPER_LOST("a request to ZooKeeper is lost, or carried out and its answer is lost"),
    ZOOKEEPER_LATE("a write to ZooKeeper is reported as lost and arrives later"),
    EVICTION("transactions on other keys push ours out of the conflict table"),
    DRIFT("clocks run fast or slow, as far as lifetimes and leases allow for it"),
    REGION_MOVE("a region is moved to another server, or closed and opened again"),
    SERVER_CRASH("a region server dies: its clock, fast-path writes in flight, and leaders that its log does not have are lost"),
    SERVER_ALONE("a region server does not reach the transaction manager for a while"),
    LATE_FAST_WRITE("a fast-path write is reported as lost and arrives later"),
    LATE_BATCH("a batch is reported as lost and arrives later"),
    LATE_RECORD("a record for Mediator's log is reported as lost and arrives later"),
    LATE_PUT("a native put, or a put transaction's, is reported as lost and arrives later"),
    ORACLE_CRASH("the status oracle dies, with all that is in its memory; another one recovers from the log"),
    RING_EVICTION("the status oracle's ring forgets all that is complete"),
    LATE_POST_COMMIT("a post-commit runs long after its commit"),
    ABANDON("an application leaves its transaction without a word");

    /** What only a run of Mediator may suffer. */
    public static final Set<Fault> OF_MEDIATOR = Collections.unmodifiableSet(EnumSet.range(LATE_RECORD, RING_EVICTION));

    private final String sentence;

    Fault(String sentence) {
        this.sentence = sentence;
    }

    /** What happens, in a few words. */
    public String sentence() {
        return sentence;
    }
}
