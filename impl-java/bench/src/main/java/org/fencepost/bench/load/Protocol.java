package org.fencepost.bench.load;

import java.nio.ByteBuffer;

/** How one system's messages look on the wire. One object for each connection. */
public interface Protocol {

    /** Told, message by message, what a system answered. */
    interface Answers {

        void greeted();

        /** The answer to the oldest begin that has none yet. */
        void begun(long startTs);

        /**
         * The answer to the oldest commit request that has none yet.
         *
         * @param startTs which transaction it is about, where the message says so; 0 where it does not
         */
        void ended(long startTs, boolean committed);
    }

    /** The first message of a connection. */
    void hello(ByteBuffer out);

    void begin(ByteBuffer out);

    /** @param keys the hashes of the cells written; all of the array */
    void commit(ByteBuffer out, long startTs, long[] keys);

    /**
     * Takes one message out of what has arrived.
     *
     * @return false, and nothing taken, if it has not arrived completely
     * @throws IllegalStateException if the system said what it must not say, or refused
     */
    boolean answer(ByteBuffer in, Answers answers);
}
