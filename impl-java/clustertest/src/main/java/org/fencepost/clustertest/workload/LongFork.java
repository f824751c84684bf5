package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Op;

/**
 * Looks for long forks: two reads of the same keys, each of which saw a write that the other one missed. Each key is written once, by the
 * fast path or by a regular transaction, and read together with its group while that happens. In Jepsen's format: {@code :write} with
 * one micro-operation, {@code :read} of a group.
 */
public final class LongFork implements Workload {

    private static final int GROUP = 4;
    private static final int GROUPS_AT_ONCE = 3;
    private static final String READ = "read";

    private final List<List<Long>> unwritten = new ArrayList<>();
    private long groups;

    @Override
    public Invocation next(SplittableRandom random) {
        while (unwritten.size() < GROUPS_AT_ONCE) {
            List<Long> group = new ArrayList<>();
            for (int i = 0; i < GROUP; i++) {
                group.add(groups * GROUP + i);
            }
            groups++;
            unwritten.add(group);
        }
        int at = random.nextInt(GROUPS_AT_ONCE);
        List<Long> group = unwritten.get(at);
        if (random.nextInt(3) > 0) {
            return read(group.get(0) / GROUP);
        }
        long key = group.remove(random.nextInt(group.size()));
        if (group.isEmpty()) {
            unwritten.remove(at);
        }
        return new Invocation("write", List.of(List.of("w", key, 1L)), Map.of(Op.PATH, random.nextBoolean() ? Op.FAST : Op.REGULAR));
    }

    private static Invocation read(long group) {
        List<List<Object>> micro = new ArrayList<>();
        for (int i = 0; i < GROUP; i++) {
            List<Object> read = new ArrayList<>(List.of("r", group * GROUP + i));
            read.add(null);
            micro.add(read);
        }
        return new Invocation(READ, micro, Map.of(Op.PATH, Op.REGULAR));
    }

    @Override
    public List<Invocation> last() {
        List<Invocation> reads = new ArrayList<>();
        for (long group = 0; group < groups; group++) {
            reads.add(read(group));
        }
        return reads;
    }

    @Override
    public boolean fastPath() {
        return true;
    }

    @Override
    public List<String> violations(List<Op> history) {
        Map<Object, List<Op>> reads = new HashMap<>();
        history.stream().filter(op -> op.type() == Op.Type.ok && op.f().equals(READ) && !op.micro().isEmpty())
                .forEach(op -> reads.computeIfAbsent(op.micro().get(0).get(1), key -> new ArrayList<>()).add(op));
        List<String> violations = new ArrayList<>();
        for (List<Op> group : reads.values()) {
            for (Op one : group) {
                group.stream().filter(other -> other.index() > one.index() && forked(one, other)).findFirst().ifPresent(other -> violations.add(
                        "Operations " + one.index() + " and " + other.index() + " saw the writes in different orders: " + one.micro() + ", " + other.micro() + "."));
            }
        }
        return violations;
    }

    private static boolean forked(Op one, Op other) {
        return sawMore(one, other) && sawMore(other, one);
    }

    private static boolean sawMore(Op one, Op other) {
        for (int i = 0; i < one.micro().size(); i++) {
            if (one.micro().get(i).get(2) != null && other.micro().get(i).get(2) == null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Map<String, Integer> asks() {
        return Map.of(Paths.FAST_COMMIT, 50, Paths.COMMIT, 50);
    }
}
