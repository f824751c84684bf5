package org.fencepost.simulation;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

import org.fencepost.protocol.Action;
import org.fencepost.protocol.NdjsonTracer;
import org.fencepost.protocol.history.History;

/**
 * A run that is over.
 *
 * @param failure null if it is as it should be
 * @param account what became of everything
 * @param steps   how often the scheduler decided
 */
public record Run(Plan plan, Failure failure, History history, EventLog log, Account account, long steps) {

    public boolean failed() {
        return failure != null;
    }

    /** The run for the trace check. */
    public String trace() {
        StringWriter text = new StringWriter();
        if (plan.protocol().equals("TMFailover")) {
            managerTrace(text);
        } else {
            clientTrace(text);
        }
        return text.toString();
    }

    private void clientTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer(text, "seed", plan.seed(), "faults", !isCalm(),
                "collectors", plan.collectors())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.action) {
                    tracer.event(Action.valueOf(event.name()), event.arguments());
                }
            }
            account.write(tracer);
        }
    }

    /** Times in microseconds, drift in thousandths. */
    private void managerTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("TMFailover", text, "seed", plan.seed(), "lease", plan.leaseNanos() / 1_000,
                "patience", plan.leaseNanos() / 1_000 + plan.driftMillis() * 1_000, "drift", (int) (1_000 * plan.drift()),
                "leap", plan.leap(), "epoch", plan.epochLength())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.server || event.kind() == EventLog.Kind.manager) {
                    List<Object> arguments = new ArrayList<>(List.of("at", event.nanos() / 1_000));
                    arguments.addAll(List.of(event.arguments()));
                    tracer.server(event.name(), arguments.toArray());
                }
            }
            account.writeReceived(tracer);
        }
    }

    /** Another transaction manager is a fault to the clients of the first one, whatever made it necessary. */
    private boolean isCalm() {
        return plan.faults().isEmpty() && log.events().stream().filter(event -> event.kind() == EventLog.Kind.manager
                && event.name().equals(Action.TakeOver.name())).count() <= 1;
    }
}
