package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fencepost.audit.text.TlaValue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.TLCState;
import tlc2.tool.impl.FastTool;
import util.SimpleFilenameToStream;

/**
 * A specification means to the translator what it means to TLC: on walks through its states, TLC's successors and the translator's are the same, for each
 * action. In each state the translated invariant holds; and each action is taken, so that no obligation is proved for want of steps. TLC keeps in static
 * fields where the variables of its one specification are, so each specification has a class of its own, and each class a process.
 */
@Timeout(300)
abstract class MeaningTest {
    static final Path SPECS = Path.of("../../specs");
    private static final int WALKS = 6;
    private static final int LENGTH = 30;

    @TempDir
    Path folder;

    /** The states whose successors were compared: paths begin alike. */
    private final Set<String> compared = new HashSet<>();

    /** @param paths to what a walk without aim seldom comes */
    final void eachActionMeansWhatItMeansToTlc(String name, List<List<String>> paths) throws IOException {
        String constants = Small.World.of(SPECS.resolve("proof"), name).get(Set.of("Fragola", "OnePhase").contains(name) ? 1 : 0).text();
        Small.World world = Small.World.of(name, constants.replace("numbers: 0..2", "numbers: 0..8").replace("Lease = 2", "Lease = 1"));
        String module = name + "Inv";
        Files.copy(SPECS.resolve("proof/" + module + ".tla"), folder.resolve(module + ".tla"));
        Files.writeString(folder.resolve(module + ".cfg"), "SPECIFICATION Spec\n" + world.text());
        Specification spec = Specification.read(SPECS.resolve("proof/" + module + ".tla"), List.of(SPECS), Map.of());
        String[] places = {folder.toAbsolutePath() + "/", SPECS.toAbsolutePath() + "/"};
        FastTool tlc = new FastTool(folder.toAbsolutePath().toString(), module, module, new SimpleFilenameToStream(places));
        TLCState first = tlc.getInitStates().elementAt(0);
        try (Context z3 = new Context()) {
            Small small = new Small(world, spec, z3, true);
            List<Steps.Branch> begins = new Steps(small.translator).initial("Init");
            assertEquals(1, begins.size());
            assertEquals(told(TlcStates.values(first)), told(small, begins.get(0).after()));
        }
        Map<String, Integer> taken = new TreeMap<>();
        Random random = new Random(7);
        for (List<String> path : paths) {
            for (int attempt = 0; attempt < 12 && !taken.containsKey(path.get(path.size() - 1)); attempt++) {
                walk(world, spec, tlc, first, path, random, taken);
            }
        }
        for (int i = 0; i < WALKS; i++) {
            walk(world, spec, tlc, first, List.of(), random, taken);
        }
        Set<String> never = new TreeSet<>(new Proof(spec, 0, 0).actions());
        never.removeAll(taken.keySet());
        assertEquals(Set.of(), never, taken.toString());
    }

    /** From the first state on along a path, or to wherever the actions lead that were taken least. */
    private void walk(Small.World world, Specification spec, FastTool tlc, TLCState first, List<String> path, Random random, Map<String, Integer> taken) {
        TLCState state = first;
        for (int i = 0; i < (path.isEmpty() ? LENGTH : path.size()); i++) {
            Map<String, List<TLCState>> byTlc = new TreeMap<>();
            for (Action action : tlc.getActions()) {
                StateVec next = tlc.getNextStates(action, state);
                for (int n = 0; n < next.size(); n++) {
                    byTlc.computeIfAbsent(action.getName().toString(), a -> new ArrayList<>()).add(next.elementAt(n));
                }
            }
            Map<String, TlaValue> values = TlcStates.values(state);
            if (compared.add(told(values))) {
                try (Context z3 = new Context()) {
                    compare(new Small(world, spec, z3, true), values, byTlc);
                }
            }
            String action = !path.isEmpty() ? path.get(i)
                    : byTlc.keySet().stream().min(Comparator.comparing(a -> taken.getOrDefault(a, 0) + 2 * random.nextInt(3))).orElse(null);
            if (action == null || !byTlc.containsKey(action)) {
                return;
            }
            taken.merge(action, 1, Integer::sum);
            state = byTlc.get(action).get(random.nextInt(byTlc.get(action).size()));
        }
    }

    private static void compare(Small small, Map<String, TlaValue> values, Map<String, List<TLCState>> byTlc) {
        Translator.State now = small.state(values);
        small.translator.conjuncts("Inductive").forEach((name, node) -> assertTrue(isTrue(small.translator.formula(node, small.translator.env(now))), name));
        Map<String, Set<String>> expected = new TreeMap<>();
        byTlc.forEach((action, states) -> expected.put(action, new TreeSet<>(states.stream().map(s -> told(TlcStates.values(s))).toList())));
        Map<String, Set<String>> found = new TreeMap<>();
        Steps steps = new Steps(small.translator);
        for (Steps.Action action : steps.actions("Next", now)) {
            for (Steps.Branch branch : steps.branches(action)) {
                if (branch.guards().stream().allMatch(MeaningTest::isTrue)) {
                    found.computeIfAbsent(action.name(), a -> new TreeSet<>()).add(told(small, branch.after()));
                }
            }
        }
        assertEquals(expected, found);
    }

    private static String told(Small small, Translator.State state) {
        return told(small.values(state, known -> {
            Expr<?> value = known.simplify();
            assertTrue(value.isIntNum() || value.isApp() && value.getNumArgs() == 0, () -> "It has no value: " + value);
            return value;
        }));
    }

    /** A text that is the same for the same state. */
    private static String told(Map<String, TlaValue> state) {
        return state.entrySet().stream().map(e -> e.getKey() + " = " + ordered(e.getValue())).sorted().collect(Collectors.joining("\n"));
    }

    private static String ordered(TlaValue value) {
        if (value instanceof TlaValue.SetOf set) {
            return set.items().stream().map(MeaningTest::ordered).sorted().toList().toString();
        } else if (value instanceof TlaValue.Fun fun) {
            return fun.map().entrySet().stream().map(e -> ordered(e.getKey()) + ":" + ordered(e.getValue())).sorted().toList().toString();
        }
        return value.toString();
    }

    static boolean isTrue(Expr<?> formula) {
        assertTrue(formula.isTrue() || formula.isFalse(), () -> "It is neither true nor false: " + formula);
        return formula.isTrue();
    }
}
