package org.fencepost.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spoils the events of a trace as somebody would who does not want to be noticed: the end marker still tells the right
 * number of lines, and the account of how the run ended stays as it is.
 */
final class Alteration {
    enum Kind { DROP, DUPLICATE, SWAP, MOVE, NUMBER, KEY, FLAG, ACTION, TRUNCATE, SPLICE }

    private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\":(-?\\d+)");
    /** In microseconds, of which a few are nothing. */
    private static final List<String> TIMES = List.of("clock", "at");
    private static final int TIME = 1_000;
    private static final Pattern WHERE = Pattern.compile("\"key\":\"\\w+");
    private static final Pattern WHOSE = Pattern.compile("\"(?:tm\":\"[^\"]+|txn\":\\d+|ts\":\\d+|commit\":\\d+,|client\":\"[^\"]+|instance\":\\d+)");
    /** Actions whose events have the same fields. */
    private static final List<List<String>> ALIKE = List.of(
            List.of("EndReadOnly", "Rollback", "LoseCommitAnswer", "RemoveCommitEntry", "Begin"), List.of("CleanUp", "ReadOwnWrite"),
            List.of("GetRecord", "HealCommitCell"), List.of("CleanLeftover", "CollectVersion", "CollectTombstone"),
            List.of("ObserveLease", "AcquireLease", "RenewLease", "HoldLease"), List.of("ExtendEpoch", "HoldEpoch", "FindEpoch"),
            List.of("TakeOver", "TakeOverAgain", "Halt"), List.of("FenceCommit", "WriteBack"),
            List.of("FenceRead", "TxPut", "PutFence"), List.of("GiveUp", "EndReadOnly", "TxCommit"));

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
            case SWAP -> {
                int next = at + 1;
                while (next < lines.size() && independent(line, lines.get(next))) {
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
            case KEY -> lines.set(at, line.contains("\"tm\":") ? line.replaceFirst("TM-\\d", "TM-" + (1 + random.nextInt(2)))
                    : line.replaceFirst("\"key\":\"\\w+\"", "\"key\":\"" + "abcd".charAt(random.nextInt(4)) + "\""));
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

    /** In either order they are mostly the same: of different transactions, puts, clients or managers; of one, those on different keys. */
    private static boolean independent(String one, String other) {
        boolean keysDiffer = !find(WHERE, one).isEmpty() && !find(WHERE, other).isEmpty() && !find(WHERE, one).equals(find(WHERE, other));
        return keysDiffer || !find(WHOSE, one).equals(find(WHOSE, other));
    }

    private static String find(Pattern pattern, String line) {
        Matcher m = pattern.matcher(line);
        return m.find() ? m.group() : "";
    }

    private static String changeNumber(String line, Random random) {
        List<MatchResult> numbers = NUMBER.matcher(line).results().toList();
        if (numbers.isEmpty()) {
            return line;
        }
        MatchResult number = numbers.get(random.nextInt(numbers.size()));
        long by = (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(3)) * (TIMES.contains(number.group(1)) ? TIME : 1);
        return line.substring(0, number.start(2)) + (Long.parseLong(number.group(2)) + by) + line.substring(number.end(2));
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
