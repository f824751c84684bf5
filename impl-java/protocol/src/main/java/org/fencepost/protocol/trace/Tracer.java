package org.fencepost.protocol.trace;

/**
 * Receives one event per linearization point, named as the specification's action. Callers write
 * {@code if (tracer.on()) tracer.event(...)}, so that a tracer that is off costs one branch and no allocation.
 */
public interface Tracer extends AutoCloseable {

    /** The tracer that records nothing. */
    Tracer OFF = new Tracer() {
        @Override
        public boolean on() {
            return false;
        }

        @Override
        public void event(Action action, Object... arguments) {
        }
    };

    default boolean on() {
        return true;
    }

    /**
     * Records that an action took effect.
     *
     * @param arguments names and values in turn; numbers and booleans stand for themselves, anything else for its text
     */
    void event(Action action, Object... arguments);

    /**
     * The same for what stands whether or not anybody hears of it: a commit does not fail with its trace. A trace that lacks an
     * event shows that at its end.
     */
    default void tell(Action action, Object... arguments) {
        try {
            event(action, arguments);
        } catch (RuntimeException | VirtualMachineError e) {
            // as if the trace had been cut short here
        }
    }

    /** Ends the trace with a marker that carries the number of events, so that a truncated trace shows. */
    @Override
    default void close() {
    }
}
