package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * What a client does over and over in a slice.
 *
 * @param kind   operations of the same kind are compared
 * @param system who does it
 * @param bodies makes one for each thread
 */
record Operation(Kind kind, String system, Supplier<Body> bodies) {

    enum Kind {
        WRITE("write"), READ("read"), READ_WRITE("read-write"), FIVE("5 operations"), TEN("10 operations");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** For results. */
        String text() {
            return text;
        }
    }

    interface Body {
        void run(SplittableRandom random) throws IOException;
    }

    /** HBase's put and get. */
    static final String NATIVE = "native";
    /** The fast path. */
    static final String FP = "fp";
    /** Regular transactions, on a table without the fast path. */
    static final String LL = "ll";
    /** The same on a table with it. */
    static final String LL_BESIDE_FP = "ll-beside-fp";
    /** There, too, where writes to one row commit in one phase. */
    static final String ONE_PHASE = "one-phase";
    /** The same without a begin. */
    static final String BLIND = "blind";
}
