package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.protocol.omid.Interposed.Hook;

/** Hooks for named faults. */
public final class Faults {

    /** The client is gone; nothing of the protocol catches this. */
    static final class Death extends Error {
        Death(String where) {
            super(where, null, false, false);
        }
    }

    private Faults() {
    }

    /** The first so many calls of the method are carried out, and their answers lost. */
    public static Hook loseAnswer(String method, int times) {
        int[] left = {times};
        return call -> {
            Object answer = call.proceed();
            if (call.name().equals(method) && left[0]-- > 0) {
                throw call.lost();
            }
            return answer;
        };
    }

    /** The first so many calls of the method do not arrive. */
    public static Hook loseRequest(String method, int times) {
        int[] left = {times};
        return call -> {
            if (call.name().equals(method) && left[0]-- > 0) {
                throw call.lost();
            }
            return call.proceed();
        };
    }

    /** Does something right before the first call of the method, itself without hook. */
    static Hook before(World world, String method, Runnable action) {
        boolean[] done = {false};
        return call -> {
            if (call.name().equals(method) && !done[0]) {
                done[0] = true;
                Hook outer = world.hook;
                world.hook = Hook.NONE;
                action.run();
                world.hook = outer;
            }
            return call.proceed();
        };
    }

    /** The client dies at its n-th call, counted from 0, before or after that is carried out. */
    static Hook dieAt(int n, boolean carriedOut) {
        int[] calls = {0};
        return call -> {
            if (calls[0]++ != n) {
                return call.proceed();
            }
            if (carriedOut) {
                call.proceed();
            }
            throw new Death(call.name());
        };
    }

    /** Writes down the names of all calls. */
    static Hook record(List<String> names) {
        return call -> {
            names.add(call.name());
            return call.proceed();
        };
    }

    static List<String> names() {
        return new ArrayList<>();
    }
}
