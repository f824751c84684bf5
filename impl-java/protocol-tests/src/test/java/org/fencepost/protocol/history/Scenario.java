package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/**
 * A history in shorthand, in the order of its events: {@code b1} transaction 1 begins, {@code w1x} writes x, {@code d1x}
 * deletes it, {@code r1x2} reads what 2 wrote there, {@code r1x0} finds nothing, {@code s1x2y3} reads all keys and finds
 * these two, {@code c1} commits, {@code a1} aborts, {@code u1} ends without answer.
 *
 * <p>What a manager may do wrong: {@code b2<1} begins below the commit of 1; {@code b2=1} and {@code c2=1} take the begin
 * or commit timestamp of 1; {@code c1<} commits below its begin; {@code c1~} commits without timestamp.
 */
final class Scenario {

    private static final Pattern EVENT = Pattern.compile("([bwdrscau])(\\d)(.*)");
    private static final int FIRST_KEY = 1_000;

    private final Map<Integer, HistoryTransaction> transactions = new TreeMap<>();
    private final Map<Integer, Long> commits = new TreeMap<>();
    private long time;

    private Scenario(long time) {
        this.time = time;
    }

    /** @param after all timestamps are later than this, and all keys are others than small integers */
    static List<HistoryTransaction> of(String events, long after) {
        Scenario scenario = new Scenario(after);
        for (String event : events.split(" ")) {
            Matcher m = EVENT.matcher(event);
            if (!m.matches()) {
                throw new IllegalArgumentException("Not an event: " + event);
            }
            scenario.add(m.group(1).charAt(0), Integer.parseInt(m.group(2)), m.group(3));
        }
        return new ArrayList<>(scenario.transactions.values());
    }

    private void add(char what, int id, String rest) {
        time += 2;
        HistoryTransaction t = transactions.get(id);
        switch (what) {
            case 'b' -> transactions.put(id, new HistoryTransaction(time, rest.isEmpty() ? time
                    : rest.charAt(0) == '<' ? commits.get(rest.charAt(1) - '0') - 1 : version(rest.charAt(1))));
            case 'w' -> t.write(key(rest));
            case 'd' -> t.delete(key(rest));
            case 'r' -> t.read(key(rest), version(rest.charAt(1)));
            case 's' -> t.range(FIRST_KEY, FIRST_KEY + 1_000, found(rest));
            case 'a' -> t.end(Outcome.ABORTED, 0, time);
            default -> {
                long commitTs = rest.isEmpty() ? time : rest.equals("~") ? 0 : rest.equals("<") ? t.startTs() - 1
                        : commits.get(rest.charAt(1) - '0');
                boolean wrote = t.operations().stream().anyMatch(op -> op.kind() != HistoryTransaction.Kind.READ);
                commits.put(id, commitTs);
                t.end(what == 'c' ? Outcome.COMMITTED : Outcome.UNKNOWN, wrote ? commitTs : 0, time);
            }
        }
    }

    private static Object key(String rest) {
        return FIRST_KEY + rest.charAt(0);
    }

    /** Nobody's for a transaction that is not there. */
    private long version(char id) {
        return id == '0' ? 0 : transactions.containsKey(id - '0') ? transactions.get(id - '0').startTs() : 1;
    }

    private Map<Object, Long> found(String rest) {
        Map<Object, Long> found = new LinkedHashMap<>();
        for (int i = 0; i < rest.length(); i += 2) {
            found.put(key(rest.substring(i)), version(rest.charAt(i + 1)));
        }
        return found;
    }
}
