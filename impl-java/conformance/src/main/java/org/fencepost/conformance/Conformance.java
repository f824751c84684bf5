package org.fencepost.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.fencepost.audit.models.SideBySide;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.audit.models.StateGraphs;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.simulation.world.Carriers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Drives behaviours of the specification into the code. TLC gives the state graphs of small models; paths are laid so that
 * they take every step, and each is taken in the protocol's own classes ({@link Replay}). Then behaviours that TLC has drawn
 * at random from larger models. What the code refuses is counted by reason ({@link Refusal}); anything else is an error. Last,
 * how many of the models' states the simulator comes to ({@link Visits}).
 */
@Command(name = "conformance", sortOptions = false, usageHelpWidth = 110,
        description = "Takes the steps of the specification's models in the code.",
        footer = {"", "Exit code: 0 if the code takes all steps but those that it is known to refuse; 1 if not; 2 nothing could be run."})
public final class Conformance implements Callable<Integer> {

    private static final int DIFFERS = 1;
    private static final int DEPTH = 100;

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/conformance",
            description = "for one JSON file for each model, and TLC's files (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--only", paramLabel = "<model>", description = "just this one")
    private String only;

    @Option(names = "--paths", paramLabel = "<number>", description = "at most so many in each small model, instead of all its steps")
    private Integer paths;

    @Option(names = "--behaviours", paramLabel = "<number>", defaultValue = "20000",
            description = "drawn at random from each larger model (default: ${DEFAULT-VALUE})")
    private int behaviours;

    @Option(names = "--seed", paramLabel = "<number>", defaultValue = "0", description = "of these (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--seeds", paramLabel = "<number>", defaultValue = "2000",
            description = "of the simulator, whose states are looked up in the models (default: ${DEFAULT-VALUE})")
    private long seeds;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;
    private final ThreadLocal<Carriers> carriers = ThreadLocal.withInitial(Carriers::new);
    private final Visits visits = new Visits();
    private final List<String> failures = new ArrayList<>();
    private final Map<Refusal, Integer> refused = new EnumMap<>(Refusal.class);
    /** The actions of which the code has taken a step. */
    private final Map<Protocol, Set<String>> taken = new EnumMap<>(Protocol.class);

    Conformance(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(System.out, true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new Conformance(out), args, out, err, "Cannot run the model checker");
    }

    @Override
    public Integer call() throws IOException {
        if (paths != null && paths < 1) {
            throw new AuditException("--paths must be at least 1.");
        }
        try (StateGraphs graphs = new StateGraphs(specs, out.resolve("jvms"))) {
            if (only != null) {
                requireModel(graphs);
            }
            Files.createDirectories(out);
            SideBySide.run(Runtime.getRuntime().availableProcessors(), replays(graphs), ended -> {});
        } catch (InterruptedException e) {
            throw new AuditException("Interrupted.");
        }
        if (only == null) {
            for (Protocol protocol : Protocol.values()) {
                requireEveryAction(protocol, taken.getOrDefault(protocol, Set.of()));
            }
        }
        if (only == null && seeds > 0) {
            visits.run(seeds, carriers.get());
            report("Visited", visits.summary(), visits.json());
        }
        refused.forEach((reason, count) -> console.println("refused " + count + " times: " + reason.reason() + " (" + reason + ")"));
        failures.forEach(failure -> console.println("FAIL " + failure));
        return failures.isEmpty() ? 0 : DIFFERS;
    }

    /** Told at once, and again at the end: between the two may be minutes. */
    private void fail(String failure) {
        console.println(failure);
        failures.add(failure);
    }

    private void requireModel(StateGraphs graphs) throws IOException {
        Set<String> all = new TreeSet<>();
        for (Protocol protocol : Protocol.values()) {
            all.addAll(graphs.replayed(protocol.name()).keySet());
            all.addAll(behaviours > 0 ? protocol.large() : List.of());
        }
        if (!all.contains(only)) {
            throw new AuditException("No model '" + only + "' is replayed; there are " + String.join(", ", all) + ".");
        }
    }

    private interface Work extends Callable<Void> {

        void run() throws IOException;

        @Override
        default Void call() throws IOException {
            run();
            return null;
        }
    }

    /** The small models of all protocols, and what is drawn from larger ones. */
    private List<Work> replays(StateGraphs graphs) throws IOException {
        Map<String, Work> replays = new LinkedHashMap<>();
        for (Protocol protocol : Protocol.values()) {
            graphs.replayed(protocol.name()).forEach((model, goal) -> {
                if (replays.put(model, () -> replay(graphs, protocol, model, goal)) != null) {
                    throw new AuditException("Two of the models that are replayed have the name " + model + ": give that of " + protocol + " another one.");
                }
            });
            if (behaviours > 0) {
                protocol.large().forEach(model -> replays.put(model, () -> replayRandom(graphs, protocol, model)));
            }
        }
        return only == null ? List.copyOf(replays.values()) : List.of(replays.get(only));
    }

    private void replay(StateGraphs graphs, Protocol protocol, String model, long goal) throws IOException {
        StateGraph graph = graphs.of(protocol.name(), model, out.resolve(model));
        ModelReplay replay = ModelReplay.of(protocol, graph, carriers.get(), paths == null ? Integer.MAX_VALUE : paths);
        synchronized (this) {
            report(model, replay.summary(), replay.json());
            judge(replay, model, goal);
            replay.refused().forEach((reason, count) -> refused.merge(reason, count, Integer::sum));
            taken.computeIfAbsent(protocol, p -> new TreeSet<>()).addAll(replay.taken().keySet());
            if (protocol == Protocol.OmidLL) {
                visits.addModel(graph);
            }
        }
    }

    private void report(String model, String summary, Map<String, Object> json) throws IOException {
        console.println(summary);
        Files.writeString(out.resolve(model + ".json"), Json.write(json) + "\n");
    }

    private void judge(ModelReplay replay, String model, long goal) {
        if (replay.difference() != null) {
            fail(model + ": the code differs from the specification. " + replay.difference());
        } else if (paths != null) {
            return; // nothing is promised of a part
        } else if (replay.coveredPercent() < goal) {
            fail(model + ": " + goal + "% of the steps must be covered.");
        } else if (!replay.actionsNotTaken().isEmpty()) {
            fail(model + ": the code takes no step of " + replay.actionsNotTaken() + ".");
        }
    }

    private void requireEveryAction(Protocol protocol, Set<String> taken) {
        Set<String> never = new TreeSet<>(protocol.actions());
        never.removeAll(taken);
        console.println(protocol + ": " + (never.isEmpty() ? "every action was taken" : "never taken: " + never));
        if (!never.isEmpty()) {
            fail("No model of " + protocol + " has a step of " + never + ".");
        }
    }

    // ---- behaviours at random

    private void replayRandom(StateGraphs graphs, Protocol protocol, String model) throws IOException {
        long steps = 0;
        int whole = 0;
        Map<Refusal, Integer> ended = new EnumMap<>(Refusal.class);
        String difference = null;
        List<List<State>> drawn = graphs.simulate(protocol.name(), model, out.resolve(model), seed, behaviours, DEPTH);
        Map<String, String> constants = StateGraph.constants(model, out.resolve(model));
        for (List<State> states : drawn) {
            List<Step> behaviour = new ArrayList<>();
            for (int i = 1; i < states.size(); i++) {
                behaviour.add(protocol.step(states.get(i - 1), states.get(i), null));
            }
            if (behaviour.isEmpty()) {
                continue;
            }
            Replay.Result result = protocol.replay(constants, behaviour, carriers.get());
            steps += result.taken();
            if (result.difference() == null) {
                whole++;
                continue;
            }
            Refusal reason = result.refused() ? Refusal.of(protocol, behaviour.get(result.taken())) : null;
            if (reason == null) {
                difference = ModelReplay.describe(behaviour, result);
                break;
            }
            ended.merge(reason, 1, Integer::sum);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spec", protocol.name());
        json.put("model", model);
        json.put("seed", seed);
        json.put("behaviours", behaviours);
        json.put("wholeBehaviours", whole);
        json.put("steps", steps);
        json.put("endedByRefusal", ended);
        json.put("difference", difference);
        synchronized (this) {
            if (difference != null) {
                fail(model + ": the code differs from the specification. " + difference);
            }
            ended.forEach((reason, count) -> refused.merge(reason, count, Integer::sum));
            report(model, String.format(Locale.ROOT, "%-19s %,d behaviours at random, %,d steps; %,d whole, the others up to a refused step: %s",
                    model, behaviours, steps, whole, ended), json);
        }
    }
}
