package org.fencepost.simulation;

import java.io.StringWriter;

import org.fencepost.protocol.Action;
import org.fencepost.protocol.NdjsonTracer;
import org.fencepost.protocol.history.History;

/**
 * A run that is over.
 *
 * @param failure null if it is as it should be
 * @param account what became of everything; null for a run of Mediator
 * @param steps   how often the scheduler decided
 */
public record Run(Plan plan, Failure failure, History history, EventLog log, Account account, long steps) {

    public boolean failed() {
        return failure != null;
    }

    /** The run for the trace check. */
    public String trace() {
        StringWriter text = new StringWriter();
        try (NdjsonTracer tracer = new NdjsonTracer(text, "seed", plan.seed(), "faults", !isCalm(),
                "collectors", plan.collectors())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.action) {
                    tracer.event(Action.valueOf(event.name()), event.arguments());
                }
            }
            account.write(tracer);
        }
        return text.toString();
    }

    /** Another transaction manager is a fault to the clients of the first one, whatever made it necessary. */
    private boolean isCalm() {
        return plan.faults().isEmpty() && log.events().stream().filter(event -> event.kind() == EventLog.Kind.manager
                && event.name().equals(Action.TakeOver.name())).count() <= 1;
    }
}
