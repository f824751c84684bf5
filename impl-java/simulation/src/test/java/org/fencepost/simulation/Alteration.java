package org.fencepost.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spoils the events of a trace as somebody would who does not want to be noticed: the end marker still tells the right
 * number of lines, and the account of how the run ended stays as it is.
 */
final class Alteration {
    enum Kind { DROP, DUPLICATE, SWAP, MOVE, NUMBER, KEY, FLAG, ACTION, TRUNCATE, SPLICE }

    private static final Pattern NUMBER = Pattern.compile("(?<=:)-?\\d+");
    private static final Pattern TXN = Pattern.compile("\"txn\":(\\d+)");
    /** Actions whose events have the same fields. */
    private static final List<List<String>> ALIKE = List.of(
            List.of("EndReadOnly", "Rollback", "LoseCommitAnswer", "RemoveCommitEntry", "Begin"), List.of("CleanUp", "ReadOwnWrite"),
            List.of("GetRecord", "HealCommitCell"), List.of("CleanLeftover", "CollectVersion", "CollectTombstone"));

    private Alteration() {}

    /** The altered lines, or null where the random choice hit nothing that could be altered so. */
    static List<String> apply(Kind kind, List<String> trace, List<String> other, Random random) {
        List<String> events = events(trace);
        List<String> lines = new ArrayList<>(events);
        int at = random.nextInt(lines.size());
        String line = lines.get(at);
        switch (kind) {
            case DROP -> lines.remove(at);
            case DUPLICATE -> lines.add(at + random.nextInt(lines.size() - at), line);
            case SWAP -> { // of one transaction: two of different ones are mostly independent
                int next = at + 1;
                while (next < lines.size() && !txn(lines.get(next)).equals(txn(line))) {
                    next++;
                }
                if (next == lines.size()) {
                    return null;
                }
                lines.set(at, lines.get(next));
                lines.set(next, line);
            }
            case MOVE -> lines.add(random.nextInt(lines.size() - 1), lines.remove(at));
            case NUMBER -> lines.set(at, changeNumber(line, random));
            case KEY -> lines.set(at, line.replaceFirst("\"key\":\"\\w+\"", "\"key\":\"" + "abcd".charAt(random.nextInt(4)) + "\""));
            case FLAG -> lines.set(at, line.contains(":true") ? line.replaceFirst(":true", ":false") : line.replaceFirst(":false", ":true"));
            case ACTION -> lines.set(at, changeAction(line, random));
            case TRUNCATE -> {
                lines.subList(at, lines.size()).clear();
                if (random.nextBoolean()) {
                    lines.add(0, trace.get(0));
                    return lines;
                }
            }
            default -> {
                List<String> others = events(other);
                lines.addAll(at, others.subList(at % (others.size() - 4), 4 + at % (others.size() - 4)));
            }
        }
        if (lines.equals(events)) {
            return null;
        }
        lines.addAll(trace.subList(1 + events.size(), trace.size() - 1));
        lines.add(0, trace.get(0));
        lines.add("{\"end\":true,\"events\":" + (lines.size() - 1) + "}");
        return lines;
    }

    private static List<String> events(List<String> trace) {
        return trace.stream().filter(line -> line.startsWith("{\"action\":")).toList();
    }

    private static String txn(String line) {
        Matcher m = TXN.matcher(line);
        return m.find() ? m.group(1) : "collector";
    }

    private static String changeNumber(String line, Random random) {
        List<int[]> places = NUMBER.matcher(line).results().map(m -> new int[] {m.start(), m.end()}).toList();
        if (places.isEmpty()) {
            return line;
        }
        int[] place = places.get(random.nextInt(places.size()));
        long changed = Long.parseLong(line.substring(place[0], place[1])) + (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(3));
        return line.substring(0, place[0]) + changed + line.substring(place[1]);
    }

    private static String changeAction(String line, Random random) {
        for (List<String> group : ALIKE) {
            for (String action : group) {
                if (line.contains("\"" + action + "\"")) {
                    return line.replace(action, group.get(random.nextInt(group.size())));
                }
            }
        }
        return line;
    }
}
