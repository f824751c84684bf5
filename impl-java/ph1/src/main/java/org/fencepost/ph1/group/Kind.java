package org.fencepost.ph1.group;

/** Kinds of frames. */
public final class Kind {

    static final byte ANSWER = 1;
    static final byte REFUSAL = 2;

    /** All versions are wanted: they come as parts, and then the answer. */
    static final byte STATE = 11;
    static final byte STATE_PART = 12;
    /** Whether the member is still in the sender's view. */
    static final byte CONFIRM = 13;
    /** The oldest snapshot of the sender. */
    static final byte FLOOR = 14;
    static final byte EVICT = 15;
    /** Versions are to be held. Earlier instances sent one, with 10. */
    static final byte SAVE = 16;

    // To the keeper of the read horizon, which is the first member.
    public static final byte HORIZON = 20;
    public static final byte REQUEST_COMMIT = 21;
    public static final byte COMPLETE = 22;
    public static final byte RELEASE = 23;
    public static final byte FLUSHING = 24;

    private Kind() {
    }

    static boolean isOfKeeper(byte kind) {
        return kind >= HORIZON && kind <= FLUSHING;
    }
}
