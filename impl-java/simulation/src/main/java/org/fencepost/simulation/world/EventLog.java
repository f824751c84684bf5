package org.fencepost.simulation.world;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * All that happened in a run, in order: what the protocol traced, the faults, and what changed in the servers. Kept as
 * it came; text is made of it only where somebody wants to read or to compare it.
 */
public final class EventLog implements Tracer {

    /** What an event is about. */
    public enum Kind {
        /** An action of a client or a collector, as the protocol's tracer saw it. */
        action,
        /** An action of a transaction manager's process (specs/TMFailover.tla), likewise. */
        manager,
        /** A server carried out what it was sent: an action of the specification's environment. */
        server,
        /** What a server carries out for a client that tells of it only later, or never, or what an application was answered; for the trace only. */
        served,
        /** Something went wrong. */
        fault,
        /** A server's state changed; belongs to the action or fault that follows. */
        change,
        /** A client was told that its fast-path write is refused. */
        refusal
    }

    /** @param mover who did it @param arguments names and values in turn */
    public record Event(long nanos, String mover, Kind kind, String name, Object[] arguments) {

        /** One line of NDJSON. */
        String line() {
            StringBuilder line = new StringBuilder(128).append("{\"nanos\":").append(nanos).append(",\"mover\":\"").append(mover)
                    .append("\",\"").append(kind).append("\":\"").append(name).append('"');
            for (int i = 0; i + 1 < arguments.length; i += 2) {
                line.append(",\"").append(arguments[i]).append("\":");
                Object value = arguments[i + 1];
                if (value instanceof Number || value instanceof Boolean) {
                    line.append(value);
                } else {
                    line.append('"').append(value).append('"'); // our own words: nothing to escape
                }
            }
            return line.append("}\n").toString();
        }
    }

    private final Scheduler scheduler;
    private final List<Event> events = new ArrayList<>();

    public EventLog(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void event(Action action, Object... arguments) {
        boolean ofManager = arguments.length > 0 && arguments[0].equals("tm");
        add(ofManager ? Kind.manager : Kind.action, action.name(), arguments);
    }

    public void fault(Fault fault, Object... arguments) {
        add(Kind.fault, fault.name(), arguments);
    }

    public void server(String action, Object... arguments) {
        add(Kind.server, action, arguments);
    }

    public void served(String action, Object... arguments) {
        add(Kind.served, action, arguments);
    }

    public void refusal(FastAbortCause cause, Object... arguments) {
        add(Kind.refusal, cause.name(), arguments);
    }

    /**
     * @param lane   the server, with its key if it has one
     * @param object what others may wait for, such as a key
     */
    public void change(String lane, String object, String what, Object before, Object after) {
        scheduler.changed(object);
        add(Kind.change, lane, what, before + " → " + after);
    }

    private void add(Kind kind, String name, Object... arguments) {
        events.add(new Event(scheduler.nanos(), scheduler.mover(), kind, name, arguments));
    }

    public List<Event> events() {
        return events;
    }

    /** The whole log as NDJSON: what two runs of one seed must agree in, byte for byte. */
    public String text() {
        StringBuilder text = new StringBuilder();
        events.forEach(event -> text.append(event.line()));
        return text.toString();
    }
}
