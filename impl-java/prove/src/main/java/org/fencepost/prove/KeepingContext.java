package org.fencepost.prove;

import com.microsoft.z3.Context;
import com.microsoft.z3.Native;

/**
 * A context of the solver that keeps each term until it is closed. In others a term goes when Java's garbage collector has found that nobody
 * has it, and its number is given to another: the solver sorts by these numbers, and so what it finds within its steps depended on when the
 * collector ran.
 */
final class KeepingContext extends Context {
    KeepingContext() {
        super(made());
    }

    /** One at a time: the solver's library makes no two at once. */
    private static synchronized long made() {
        long config = Native.mkConfig();
        try {
            return Native.mkContext(config);
        } finally {
            Native.delConfig(config);
        }
    }
}
