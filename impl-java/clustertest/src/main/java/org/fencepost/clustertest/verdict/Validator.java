package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Tells whether a history is one that adya can judge. adya finds cycles, and passes what no cycle shows: values written twice, the
 * history of another workload, values that were read and that nobody wrote. So nothing is given to it that has one of these defects.
 */
public final class Validator {

    private static final int MAX_DEFECTS = 20;

    private final String write;
    private final boolean lists;
    private final List<String> defects = new ArrayList<>();
    /** By process, what it has invoked and not completed. */
    private final Map<Object, Op> open = new HashMap<>();
    private final Set<Object> ended = new HashSet<>();
    /** By key, the values that were invoked, read by anyone later or not. */
    private final Map<Object, Set<Object>> written = new HashMap<>();

    private Validator(boolean lists) {
        this.lists = lists;
        this.write = lists ? "append" : "w";
    }

    /**
     * The defects, a sentence each, at most {@value #MAX_DEFECTS}; none for a good history.
     *
     * @param lists of list-append; otherwise of rw-register
     */
    public static List<String> defects(List<Op> history, boolean lists) {
        Validator validator = new Validator(lists);
        List<Op> clients = history.stream().filter(Op::isClient).toList();
        clients.forEach(validator::pair);
        validator.open.values().forEach(op -> validator.defect(op, "was never completed"));
        clients.stream().filter(op -> op.type() == Op.Type.invoke).forEach(validator::invoked);
        clients.stream().filter(op -> op.type() == Op.Type.ok).forEach(validator::found);
        return validator.defects;
    }

    private void defect(Op op, String what) {
        if (defects.size() < MAX_DEFECTS) {
            defects.add("Operation " + op.index() + " " + what + ".");
        }
    }

    // ---- invocation and completion

    private void pair(Op op) {
        if (!op.f().equals("txn")) {
            defect(op, "has the function " + op.f() + ", not txn");
        }
        if (op.type() == Op.Type.invoke) {
            if (ended.contains(op.process())) {
                defect(op, "is of process " + op.process() + ", which ended with an unknown outcome before");
            }
            if (open.put(op.process(), op) != null) {
                defect(op, "began before the operation of its process before it was completed");
            }
            return;
        }
        Op invoked = open.remove(op.process());
        if (invoked == null) {
            defect(op, "completes what was not invoked");
        } else if (!sameOperations(invoked, op)) {
            defect(op, "has other micro-operations than its invocation " + invoked.index());
        }
        if (op.type() == Op.Type.info) {
            ended.add(op.process());
        }
    }

    /** Those that were asked for, with values filled in where something was read. */
    private boolean sameOperations(Op invoked, Op completed) {
        List<List<Object>> asked = invoked.micro();
        List<List<Object>> done = completed.micro();
        boolean same = asked.size() == done.size() && !(asked.isEmpty() && !(completed.value() instanceof List));
        for (int i = 0; same && i < asked.size(); i++) {
            boolean read = "r".equals(asked.get(i).get(0));
            same = Objects.equals(asked.get(i).get(0), done.get(i).get(0)) && Objects.equals(asked.get(i).get(1), done.get(i).get(1))
                    && (read || Objects.equals(asked.get(i).get(2), done.get(i).get(2)));
        }
        return same;
    }

    // ---- values

    private void invoked(Op op) {
        if (op.micro().isEmpty()) {
            defect(op, "has no micro-operations");
        }
        for (List<Object> micro : op.micro()) {
            if (micro.get(0).equals(write)) {
                if (micro.get(2) == null) {
                    defect(op, "writes nothing to key " + micro.get(1));
                } else if (!written.computeIfAbsent(micro.get(1), k -> new HashSet<>()).add(micro.get(2))) {
                    defect(op, "writes " + micro.get(2) + " to key " + micro.get(1) + ", as another one does");
                }
            } else if (!micro.get(0).equals("r")) {
                defect(op, "has the micro-operation " + micro.get(0) + ", which is not of this workload");
            } else if (micro.get(2) != null) {
                defect(op, "knows before it reads key " + micro.get(1) + " what is there");
            }
        }
    }

    private void found(Op op) {
        for (List<Object> micro : op.micro()) {
            if (!micro.get(0).equals("r")) {
                continue;
            }
            Object found = micro.get(2);
            if (lists != (found instanceof List)) {
                defect(op, "reads from key " + micro.get(1) + (lists ? " no list, not even an empty one" : " a list"));
                continue;
            }
            List<?> values = found instanceof List<?> list ? list : found == null ? List.of() : List.of(found);
            Set<Object> known = written.getOrDefault(micro.get(1), Set.of());
            for (Object value : values) {
                if (!known.contains(value)) {
                    defect(op, "reads " + value + " from key " + micro.get(1) + ", which nobody wrote there");
                }
            }
            if (new HashSet<Object>(values).size() < values.size()) {
                defect(op, "reads from key " + micro.get(1) + " a list that has a value twice");
            }
        }
    }
}
