package org.fencepost.hbase.server;

/**
 * Whether HBase's log was asked to take what this thread writes. A write that fails afterwards is not over: HBase does not show it, but the log may
 * have it, and whoever opens the region from that log shows it. One that fails before is over.
 */
final class LogOfThread {

    private static final ThreadLocal<Boolean> ASKED = ThreadLocal.withInitial(() -> false);

    private LogOfThread() {
    }

    /** Before a write. */
    static void begin() {
        ASKED.set(false);
    }

    /** To be called right before the log gets it. */
    static void ask() {
        ASKED.set(true);
    }

    /** Whether a write that has failed may yet appear. */
    static boolean mayHaveIt() {
        return ASKED.get();
    }
}
