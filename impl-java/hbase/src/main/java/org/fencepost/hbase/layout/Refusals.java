package org.fencepost.hbase.layout;

/** The words by which clients know a refusal of our coprocessors. */
public final class Refusals {

    /** Begins what a client reads when a put is refused. */
    public static final String NEWER_COMMIT = "fencepost: a newer version is committed";
    /** Begins what a client reads when there is no fast path to be had. */
    public static final String NO_FAST_PATH = "No fast path here: ";

    private Refusals() {
    }
}
