package org.fencepost.tm.zookeeper;

/**
 * The objects by which transaction managers agree (VLDB'18 section 3.2.1): the lease and the durable timestamp
 * limit, each a text with a version that counts its writes; and their identity, which never changes. Public for the simulator.
 */
public interface SharedObjects {

    /** The lease: a {@link LeaseRecord}, or empty. */
    String LEASE = "lease";
    /** The durable limit: an {@link EpochRecord}, or empty. */
    String MAX_TS = "maxTS";
    /** Who they are, for the tables that hold their timestamps: written once. Empty in systems from before there was one. */
    String IDENTITY = "identity";

    /** A text and its version. */
    record Versioned(String text, int version) {
    }

    /** The present text, or an older one: only {@link #compareAndSet} is decisive. */
    Versioned read(String name) throws UnreachableException;

    /**
     * Replaces the text if its version is still the given one.
     *
     * @return the new version, or -1 if the version was another
     * @throws UnreachableException if the outcome is unknown
     */
    int compareAndSet(String name, String text, int version) throws UnreachableException;

    /** The objects could not be reached: a read gave nothing, a write took effect or did not. */
    class UnreachableException extends Exception {

        /** @param cause null if the message tells all */
        public UnreachableException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
