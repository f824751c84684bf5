package org.fencepost.simulation.torture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.SwimLane.Lane;
import org.fencepost.lanes.SwimLane.Row;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.world.EventLog.Event;
import org.fencepost.simulation.world.EventLog.Kind;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Run;

/**
 * The log of a run as a swim lane: who did what in his own lane, and what it changed in those of the servers. Marked are the steps of the
 * transactions that the failure names, and the one at which it was noticed.
 */
final class Picture {

    private static final List<String> ORDER = List.of("client", "instance", "janitor", "healer", "network", "TM", "ZooKeeper", "helper", "oracle", "log", "RS", "CT", "key");

    private Picture() {
    }

    static SwimLane of(Run run) {
        List<Row> rows = new ArrayList<>();
        Set<Lane> lanes = new LinkedHashSet<>();
        Map<Lane, List<String>> cells = new LinkedHashMap<>();
        List<Event> events = run.log().events();
        boolean isOfOmid = !run.plan().isOfMediator() && !run.plan().isOfPH1();
        Set<String> named = run.failed() ? numbers(run.failure().what()) : Set.of();
        int noticed = run.failed() ? noticed(events, run.failure()) : Failure.NOT_AT_ONCE;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (event.kind() == Kind.served) {
                continue; // the client's own action is there
            }
            String text = text(event);
            cells.computeIfAbsent(lane(event.kind() == Kind.change ? event.name() : event.mover()), l -> new ArrayList<>()).add(text);
            if (event.kind() != Kind.change) {
                lanes.addAll(cells.keySet());
                rows.add(new Row(rows.size() + 1, event.name(), source(event, isOfOmid), cells, isOf(named, event) || i + 1 == noticed));
                cells = new LinkedHashMap<>();
            }
        }
        List<Lane> ordered = lanes.stream().sorted(Comparator.comparingInt((Lane lane) -> ORDER.indexOf(lane.kind()))
                .thenComparing(Lane::instance)).toList();
        String title = "seed " + run.plan().seed() + (run.failed() ? " violates " + run.failure().property() : " passes");
        return new SwimLane(title, ordered, rows, null, run.failed() ? lesson(run.failure(), rows) : List.of());
    }

    private static List<String> lesson(Failure failure, List<Row> rows) {
        List<String> lesson = new ArrayList<>(Arrays.asList(("Violated: " + failure).split("\n")));
        List<Integer> marked = rows.stream().filter(Row::marked).map(Row::number).toList();
        if (!marked.isEmpty()) {
            lesson.add("Look at the marked steps: " + marked.toString().replaceAll("[\\[\\]]", "") + ".");
        }
        return lesson;
    }

    /** The step at which it was noticed, as a number of events: a change is drawn with the step that follows it. */
    private static int noticed(List<Event> events, Failure failure) {
        int noticed = failure.events();
        while (noticed > 0 && noticed < events.size() && !isStep(events.get(noticed - 1))) {
            noticed++;
        }
        return noticed;
    }

    private static boolean isStep(Event event) {
        return event.kind() != Kind.served && event.kind() != Kind.change;
    }

    private static Set<String> numbers(String text) {
        return Pattern.compile("\\d+").matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    private static boolean isOf(Set<String> transactions, Event event) {
        Object[] arguments = event.arguments();
        return IntStream.range(0, arguments.length / 2)
                .anyMatch(i -> arguments[2 * i].equals("txn") && transactions.contains(String.valueOf(arguments[2 * i + 1])));
    }

    private static Lane lane(String name) {
        int space = name.indexOf(' ');
        return space < 0 ? new Lane(name, "") : new Lane(name.substring(0, space), name.substring(space + 1));
    }

    /** An action of Omid's that other protocols have by the same name is not from the same place there. */
    private static String source(Event event, boolean isOfOmid) {
        return switch (event.kind()) {
            case action, manager -> isOfOmid || !Action.OF_OMID_LL.contains(Action.valueOf(event.name())) ? Action.valueOf(event.name()).source() : "";
            case server -> "";
            case fault -> Fault.valueOf(event.name()).sentence();
            default -> FastAbortCause.valueOf(event.name()).sentence();
        };
    }

    private static String text(Event event) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + 1 < event.arguments().length; i += 2) {
            text.append(i == 0 ? "" : ", ").append(event.arguments()[i]).append(' ').append(event.arguments()[i + 1]);
        }
        return text.toString();
    }
}
