package org.fencepost.clustertest.client;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.protocol.trace.Tracer;

/**
 * A trace whose timestamps are replaced by their ranks, since those of a cluster are greater than the model checker's numbers. The specification only
 * compares them. Kept in memory until it is written. Thread-safe.
 */
public final class RankedTrace implements Tracer {

    private record Line(String name, Object[] arguments) {
    }

    private final List<Line> events = new ArrayList<>();
    private final List<Line> account = new ArrayList<>();

    @Override
    public void event(Action action, Object... arguments) {
        event(action.name(), arguments);
    }

    /** The same of what is no {@link Action}. */
    public synchronized void event(String action, Object... arguments) {
        events.add(new Line(action, arguments.clone()));
    }

    /** See {@link NdjsonTracer#account}. A timestamp of which no event tells is beyond all. */
    public synchronized void account(String about, Object... arguments) {
        account.add(new Line(about, arguments.clone()));
    }

    /**
     * Writes it as one without faults.
     *
     * @param spec       that it is to be checked against
     * @param parameters of the run, see {@link NdjsonTracer}
     */
    public synchronized void write(String spec, Path file, Object... parameters) throws IOException {
        TreeSet<Long> timestamps = new TreeSet<>();
        events.stream().flatMap(event -> Arrays.stream(event.arguments())).filter(RankedTrace::isTimestamp).forEach(ts -> timestamps.add((Long) ts));
        List<Long> ranked = List.copyOf(timestamps);
        try (Writer out = Files.newBufferedWriter(file); NdjsonTracer tracer = new NdjsonTracer(spec, out, parameters)) {
            events.forEach(event -> tracer.server(event.name(), ranks(event, ranked)));
            account.forEach(line -> tracer.account(line.name(), ranks(line, ranked)));
        }
    }

    private static boolean isTimestamp(Object argument) {
        return argument instanceof Long number && number > 0;
    }

    private static Object[] ranks(Line line, List<Long> ranked) {
        return Arrays.stream(line.arguments()).map(argument -> isTimestamp(argument) ? rank((Long) argument, ranked) : argument).toArray();
    }

    private static Object rank(Long timestamp, List<Long> ranked) {
        int place = ranked.indexOf(timestamp);
        return (place < 0 ? ranked.size() : place) + 1L;
    }
}
