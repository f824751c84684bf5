package org.fencepost.audit.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.audit.models.Result;
import org.fencepost.lanes.SwimLane;

/**
 * What an audit found: what the page shows, and what audit.json holds. Every part is read from the specs, the sources and the results of
 * runs; nothing is written by hand, and what did not run is {@link Status#UNKNOWN}.
 *
 * @param revision the commit that was audited, "with changes" added where the tree differs from it; null outside of a repository
 * @param passed whether every verdict of the model checker was the expected one
 * @param suspicions what a reviewer should look at first, the most telling first
 * @param departures rows of the table of departures and errata; {@code notModelled} is Markdown, as it stands beside the specs
 */
record Dossier(String revision, Map<String, Object> tool, boolean passed, List<String> summary, List<Suspicion> suspicions,
        List<SystemPart> systems, List<Departure> departures, String notModelled, Proofs proofs, JavaEvidence evidence) {

    enum Status { OK, FAILED, NONE, UNKNOWN }

    /** The kinds of evidence for a property, with the command that gathers it. */
    enum Kind {
        MODEL_CHECKED("model-checked", "`make check`"), MUTANTS("mutants", "`make check`"), SYMBOLIC("symbolic", "`make check-symbolic`"),
        PROVED("proved", "`make prove`"), SIMULATED("simulated", "`make test` and `make torture`"), TRACE_CHECKED("trace-checked", "`make test`"),
        CLUSTER_TESTED("cluster-tested", "`make cluster-test`");

        final String title;
        final String command;

        Kind(String title, String command) {
            this.title = title;
            this.command = command;
        }
    }

    /** @param link the id of what the cell rests on, or null */
    record Cell(Status status, String text, String link) {
        static Cell unknown(Kind kind) {
            return new Cell(Status.UNKNOWN, "unknown", null);
        }
    }

    /** @param link the id of the part of the page that shows it, or null */
    record Suspicion(String what, String link) {}

    /** @param where the commands in the text of the specs, as {@code specs/OmidLL.tla:123} */
    record SystemPart(String name, String about, List<Property> properties, List<Action> actions, List<Guard> guards, List<Model> models,
            List<Mutant> mutants) {}

    /** @param says the comment above it, which tells what breaks for a user when it fails */
    record Property(String name, boolean temporal, String says, String where, Map<Kind, Cell> evidence) {}

    /**
     * @param java where the methods of that name are
     * @param properties those of which a mutant of one of its guards dies
     * @param taken how often the models took it; null where none counted
     */
    record Action(String name, String source, String says, String text, String where, List<String> java, List<String> guards,
            List<String> mutants, List<String> properties, Long taken) {}

    record Guard(String name, String says, String text, String where, List<String> java, List<String> actions, List<String> mutants) {}

    record Model(String name, String size, Status status, String expected, String verdict, String message, Map<String, String> bounds,
            Long states, Long depth, Double seconds, List<String> properties, List<String> witnesses, List<String> missed, List<String> uncovered,
            Steps steps) {}

    /**
     * @param bound what takes part in the shortest counterexample
     * @param code what became of the same guard's removal in Java, one for each place; empty where the simulator has no such mutant
     */
    record Mutant(String name, String guard, String why, String model, Status status, String expected, String verdict, String message,
            Long states, String bound, List<CodeMutant> code, Steps steps) {}

    /**
     * A counterexample.
     *
     * @param picture without its lesson
     * @param guarded number of the first step that the spec as it is forbids; 0 where it forbids none; null where that is unknown
     */
    record Steps(String property, String says, SwimLane picture, Integer guarded) {
        List<String> actions() {
            return picture.rows().stream().map(SwimLane.Row::action).toList();
        }
    }

    /**
     * @param system the spec whose mutant it is
     * @param seeds how many it took; null where the simulator did not find it, or it cannot exist, or is redundant in the spec, too
     * @param where file and line of the guard in Java; null where it is not there any more, empty where nobody says
     */
    record CodeMutant(String system, String name, String java, Long seeds, String property, String replay, String note, String where,
            boolean fresh) {
        boolean found() {
            return seeds != null || property.equals("cannot exist") || property.equals("redundant");
        }
    }

    /** @param systems those whose mutants the row names */
    record Departure(String where, String what, String evidence, List<String> systems) {}

    /** How many models and mutants nobody has run yet on these inputs, which only {@code --known} leaves so. */
    long notRun() {
        return systems.stream().flatMap(s -> Stream.concat(s.models().stream().map(Model::message), s.mutants().stream().map(Mutant::message)))
                .filter(Result.DID_NOT_RUN::equals).count();
    }

    /** All models and mutants. */
    int size() {
        return systems.stream().mapToInt(s -> s.models().size() + s.mutants().size()).sum();
    }

    /** How many models and mutants were seen to do what is expected of them. */
    long asExpected() {
        return systems.stream().flatMap(s -> Stream.concat(s.models().stream().map(Model::status), s.mutants().stream().map(Mutant::status)))
                .filter(Status.OK::equals).count();
    }

    List<Mutant> mutants() {
        return systems.stream().flatMap(s -> s.mutants().stream()).toList();
    }
}
