package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.audit.text.Tlc;

/** Has TLC draw the state graphs of models, several in a JVM, and behaviours at random. */
public final class StateGraphs implements AutoCloseable {
    private static final String FILE = "graph.dot";
    private static final int HEAP_MIB = 1024;
    private static final int TIMEOUT_SECONDS = 3600;
    private static final TlcRun.Resources RESOURCES = new TlcRun.Resources(1, HEAP_MIB, TIMEOUT_SECONDS);

    private final Suite suite;
    private final Tlc tlc;
    private final TlcHosts hosts;

    /**
     * @param specs the folder of the specs, which are read now
     * @param tmp for files that live as long as this
     */
    public StateGraphs(Path specs, Path tmp) {
        this.suite = Suite.load(specs);
        this.tlc = Tlc.locate(null);
        this.hosts = new TlcHosts(tlc.jar(), tmp.toAbsolutePath());
    }

    /**
     * The models of the spec whose state graphs are replayed in the code, each with the share of its steps that must be taken there, in
     * percent: the field {@code replay} of their headers.
     */
    public Map<String, Long> replayed(String spec) throws IOException {
        Map<String, Long> goals = new TreeMap<>();
        for (Job job : suite.jobs()) {
            if (job.spec().equals(spec) && !job.isMutant()) {
                Long goal = Header.read(Files.readString(job.file()), Header.MODEL_FIELDS).count("replay");
                if (goal != null) {
                    goals.put(job.name(), goal);
                }
            }
        }
        return goals;
    }

    /**
     * Runs TLC on a model, which must have as many states as its header says; its properties are not checked.
     *
     * @param spec the spec's name, such as {@code OmidLL}
     * @param model the model's, without ending
     * @param folder for TLC's files, which are overwritten; the dump stays there
     * @throws AuditException where there is no such model, or TLC's verdict is not the expected one
     */
    public StateGraph of(String spec, String model, Path folder) throws IOException {
        Job job = job(spec, model);
        if (!job.pinned()) {
            throw new AuditException("The model '" + model + "' of " + spec + " must violate something, so TLC would not come to all of its states.");
        }
        Job unchecked = job.unchecked();
        List<String> options = List.of("-dump", "dot,actionlabels", dump(folder.toAbsolutePath()).toString()); // a JVM for many has no folder of its own
        Result result = hosts.run(unchecked.mayShareWhenPinned(), () -> TlcRun.jvm(unchecked, suite.library(spec), RESOURCES), host -> run(unchecked, folder, options, host));
        if (result.verdict().kind() != Verdict.Kind.PASS) {
            throw failed(result);
        }
        return StateGraph.read(model, dump(folder));
    }

    /** Where {@link #of} leaves what TLC has drawn. */
    public static Path dump(Path folder) {
        return folder.resolve(FILE);
    }

    /**
     * Behaviours that TLC has drawn at random from a model (-simulate), each from an initial state on; its properties must hold in them. TLC does
     * not name their steps.
     *
     * @param seed the same seed gives the same behaviours
     * @param depth states of each at most
     */
    public List<List<State>> simulate(String spec, String model, Path folder, long seed, int number, int depth) throws IOException {
        Result result = run(job(spec, model), folder, List.of("-simulate", "file=" + folder.toAbsolutePath().resolve("behaviour") + ",num=" + number,
                "-depth", Integer.toString(depth), "-seed", Long.toString(seed)), null);
        if (result.exit() != 0) { // who draws has seen no whole graph, and gives no verdict of it
            throw failed(result);
        }
        List<List<State>> behaviours = new ArrayList<>();
        Map<String, TlaValue> known = new HashMap<>();
        for (int i = 0; i < number; i++) {
            Path file = folder.resolve("behaviour_0_" + i);
            List<State> behaviour = new ArrayList<>();
            for (String state : Files.readString(file).split("STATE_\\d+ ==")) {
                if (state.contains("/\\ ")) {
                    behaviour.add(StateGraph.state(state.replaceAll("(?m)^==+$", ""), known));
                }
            }
            Files.delete(file);
            behaviours.add(behaviour);
        }
        return behaviours;
    }

    private Job job(String spec, String model) {
        Job job = suite.jobs().stream().filter(j -> j.spec().equals(spec) && j.name().equals(model) && !j.isMutant()).findFirst()
                .orElseThrow(() -> new AuditException("There is no model '" + model + "' of " + spec + "."));
        if (job.problem() != null) {
            throw new AuditException("The model '" + model + "' of " + spec + " cannot run: " + job.problem() + ".");
        }
        return job;
    }

    private Result run(Job job, Path folder, List<String> options, TlcHost host) {
        return new TlcRun(job, tlc, suite.library(job.spec()), folder.toAbsolutePath(), RESOURCES, options, host).run();
    }

    private static AuditException failed(Result result) {
        Verdict verdict = result.verdict();
        return new AuditException("TLC on the model '" + result.job().name() + "': " + verdict + (verdict.message() == null ? "" : ", " + verdict.message())
                + "; its log is in " + result.folder() + ".");
    }

    @Override
    public void close() {
        hosts.close();
    }
}
