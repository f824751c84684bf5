package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Context;
import com.microsoft.z3.Params;
import com.microsoft.z3.Solver;
import com.microsoft.z3.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tla2sany.semantic.ExprOrOpArgNode;

/**
 * The obligations of a proof by induction, and their verdicts. A module says what is to be proved in a few definitions: Constants, what is
 * assumed of the constants; Inductive, the conjunction of the invariants; Lemmas, what follows from these and helps with the steps; ByInduction(n),
 * what follows for each natural number; Consequences, what follows from all that; Promises, what it is for. Each may use what is before it, and
 * those three in the middle may be missing. Init and Next are the specification's own.
 *
 * <p>Each obligation goes to the solver as its premises and the negation of its conclusion. It is proved if these contradict each other, and
 * open otherwise, whether the solver knows better or has reached its limit. The limit counts the solver's steps and not seconds, so that a
 * verdict is the same on every machine.
 */
final class Proof {
    /** The parts that are no actions. */
    static final String INIT = "Init";
    static final String LEMMAS = "Lemmas";
    static final String BY_INDUCTION = "ByInduction";
    static final String CONSEQUENCES = "Consequences";
    static final String PROMISES = "Promises";
    static final List<String> FOLLOW = List.of(LEMMAS, BY_INDUCTION, CONSEQUENCES, PROMISES);

    /** Most conjuncts are kept by a step for no reason but their own, and some consequences follow from others alone. Then few steps suffice. */
    private static final int SHORT = 300_000;

    private final Specification spec;
    private final int limit;
    private final int seed;

    /**
     * @param part an action, or {@link #INIT}, {@link #LEMMAS}, {@link #BY_INDUCTION}, {@link #CONSEQUENCES}, {@link #PROMISES}
     * @param conjunct of the invariant, or what follows from it
     * @param obligations into which it was taken apart; with none it holds by the translation alone
     * @param open how many of them are not proved
     * @param steps of the solver, in all attempts: the same on every machine
     */
    record Result(String part, String conjunct, int obligations, int open, long steps, double seconds) {
    }

    /** @param limit of the solver's steps in one attempt */
    Proof(Specification spec, int limit, int seed) {
        this.spec = spec;
        this.limit = limit;
        this.seed = seed;
    }

    List<String> parts() {
        try (Context z3 = new KeepingContext()) {
            Translator translator = new Translator(spec, z3);
            Stream<String> actions = new Steps(translator).actions("Next", translator.anyState()).stream().map(Steps.Action::name).distinct();
            return Stream.of(Stream.of(INIT), actions, FOLLOW.stream().filter(spec::defines)).flatMap(s -> s).toList();
        }
    }

    /** The names of which a definition is the conjunction. */
    List<String> conjuncts(String definition) {
        try (Context z3 = new KeepingContext()) {
            return List.copyOf(new Translator(spec, z3).conjuncts(definition).keySet());
        }
    }

    /** The parts that are actions. */
    List<String> actions() {
        return parts().stream().filter(part -> !part.equals(INIT) && !FOLLOW.contains(part)).toList();
    }

    /** Proves one part, in a context of its own: no verdict depends on what was proved before. */
    List<Result> prove(String part) {
        try (Context z3 = new KeepingContext()) {
            return new Part(part, z3).prove();
        }
    }

    /** A part's premises, and the solver's attempts. */
    private final class Part {
        private final String part;
        private final Context z3;
        private final Translator translator;
        private final Steps steps;
        private final Goals goals;
        private final Translator.State now;
        private final BoolExpr constants;
        private final Map<String, BoolExpr> invariant = new LinkedHashMap<>();
        private final List<BoolExpr> lemmas = new ArrayList<>();
        /** What was proved by induction, of the numbers of one variable each. */
        private final List<BoolExpr> instances = new ArrayList<>();
        private long taken;

        private Part(String part, Context z3) {
            this.part = part;
            this.z3 = z3;
            translator = new Translator(spec, z3);
            steps = new Steps(translator);
            goals = new Goals(translator);
            now = translator.anyState();
            constants = translator.formula(translator.body("Constants"), translator.env(now));
            if (!part.equals(INIT)) {
                translator.conjuncts("Inductive").forEach((name, node) -> invariant.put(name, formula(node)));
            }
            if (!List.of(INIT, LEMMAS).contains(part) && spec.defines(LEMMAS)) {
                translator.conjuncts(LEMMAS).values().forEach(node -> lemmas.add(formula(node)));
            }
            if (part.equals(PROMISES) && spec.defines(CONSEQUENCES)) {
                translator.conjuncts(CONSEQUENCES).values().forEach(node -> lemmas.add(formula(node)));
            } else if (part.equals(CONSEQUENCES) && spec.defines(BY_INDUCTION)) {
                instances.addAll(goals.instances(BY_INDUCTION, now));
            }
        }

        private BoolExpr formula(ExprOrOpArgNode node) {
            return translator.formula(node, translator.env(now));
        }

        private List<Result> prove() {
            if (part.equals(BY_INDUCTION)) {
                return List.of(byInduction());
            }
            List<Steps.Branch> branches = new ArrayList<>();
            if (part.equals(INIT)) {
                branches.addAll(steps.initial(INIT));
            } else if (FOLLOW.contains(part)) {
                branches.add(new Steps.Branch(List.of(), now));
            } else {
                steps.actions("Next", now).stream().filter(a -> a.name().equals(part)).forEach(a -> branches.addAll(steps.branches(a)));
            }
            List<Result> results = new ArrayList<>();
            translator.conjuncts(FOLLOW.contains(part) ? part : "Inductive").forEach((name, node) -> {
                Tally tally = new Tally(name);
                for (Steps.Branch branch : branches) {
                    Translator.Env after = translator.env(branch.after());
                    if (!isPremise(name, node, after)) {
                        tally.add(branch.guards(), node, after);
                    }
                }
                if (part.equals(LEMMAS) || part.equals(CONSEQUENCES)) {
                    lemmas.add(formula(node));
                }
                results.add(tally.result());
            });
            return results;
        }

        /** Whether a conjunct says the same after the step as before, since nothing has changed of which it speaks. */
        private boolean isPremise(String name, ExprOrOpArgNode node, Translator.Env after) {
            return invariant.containsKey(name) && translator.formula(node, after).equals(invariant.get(name));
        }

        /** For 0, and for a number's successor if it holds for the number. */
        private Result byInduction() {
            Tally tally = new Tally(BY_INDUCTION);
            Logic logic = translator.logic();
            ExprOrOpArgNode body = translator.body(BY_INDUCTION);
            Translator.Env env = translator.env(now);
            tally.add(List.of(), body, goals.with(BY_INDUCTION, logic.term(logic.number("0")), env));
            Value n = logic.arbitrary("n", new Type.Basic("Int"));
            Value next = logic.term(logic.plus(logic.expr(n), logic.number("1")));
            List<BoolExpr> hypothesis = List.of(logic.atMost(logic.number("0"), logic.expr(n)),
                    translator.formula(body, goals.with(BY_INDUCTION, n, env)));
            tally.add(hypothesis, body, goals.with(BY_INDUCTION, next, env));
            return tally.result();
        }

        /** Takes one conjunct apart and counts. */
        private final class Tally {
            private final String name;
            private final boolean isKept;
            private final List<BoolExpr> hints;
            private final List<BoolExpr> all = List.copyOf(invariant.values());
            private final long begun = System.nanoTime();
            private final long before = taken;
            private int obligations;
            private int open;

            private Tally(String name) {
                this.name = name;
                this.isKept = invariant.containsKey(name);
                this.hints = isKept ? by(name) : instances;
            }

            private void add(List<BoolExpr> guards, ExprOrOpArgNode node, Translator.Env env) {
                for (Goals.Goal goal : goals.goals(node, env)) {
                    List<BoolExpr> premises = new ArrayList<>(guards);
                    premises.add(constants);
                    premises.addAll(goal.premises());
                    premises.addAll(translator.axioms());
                    premises.add(translator.logic().not(goal.conclusion()));
                    obligations++;
                    open += isProved(premises) || byCases(premises, 2) || otherwise(premises) ? 0 : 1;
                }
            }

            private Result result() {
                return new Result(part, name, obligations, open, taken - before, (System.nanoTime() - begun) / 1e9);
            }

            /** Is the arbitrary element one of those with which the step was taken, or another? */
            private boolean byCases(List<BoolExpr> premises, int depth) {
                if (depth == 0) {
                    return false;
                }
                Logic logic = translator.logic();
                for (BoolExpr test : logic.tests(premises)) {
                    boolean proved = true;
                    for (boolean holds : new boolean[] {true, false}) {
                        List<BoolExpr> inCase = new ArrayList<>(premises.stream().map(p -> logic.where(test, holds, p)).toList());
                        inCase.add(holds ? test : logic.not(test));
                        proved = proved && (isProved(inCase) || byCases(inCase, depth - 1));
                    }
                    if (proved) {
                        return true;
                    }
                }
                return false;
            }

            private boolean isProved(List<BoolExpr> premises) {
                return contradict(premises, isKept ? List.of(invariant.get(name)) : List.of(), isKept ? List.of() : lemmas, SHORT, 0)
                        || instances.stream().anyMatch(instance -> contradict(premises, List.of(instance), lemmas, SHORT, 0))
                        || isKept && !hints.isEmpty() && contradict(premises, hints, List.of(), limit, 0)
                        || instances.stream().anyMatch(instance -> contradict(premises, with(instance, all), lemmas, limit, 0))
                        || contradict(premises, all, lemmas, limit, 0) || !lemmas.isEmpty() && contradict(premises, all, List.of(), limit, 0)
                        || contradict(premises, all, lemmas, limit, 1);
            }

            /**
             * Which way the solver takes depends on more than what is asked. So what it did not find within its steps is asked again, with other seeds and as
             * text, which numbers the formulas in another way.
             */
            private boolean otherwise(List<BoolExpr> premises) {
                List<BoolExpr> following = isKept ? List.of() : lemmas;
                return IntStream.range(0, 4).anyMatch(again -> contradict(premises, hints, following, limit, again + 2) || asText(premises, hints, following, again)
                        || contradict(premises, all, lemmas, limit, again + 2) || asText(premises, all, lemmas, again));
            }
        }

        /** A conjunct and the others that the module names as what it is kept by: the solver thinks of these first, and of all only then. */
        private List<BoolExpr> by(String name) {
            List<String> names = spec.by(name);
            return names.isEmpty() ? List.of() : invariant.keySet().stream().filter(n -> n.equals(name) || n.contains("TypeOK") || names.contains(n)).map(invariant::get).toList();
        }

        private static List<BoolExpr> with(BoolExpr one, List<BoolExpr> others) {
            return Stream.concat(Stream.of(one), others.stream()).toList();
        }

        /**
         * Asks a solver of its own, in which the formulas are new: what is there from before would change the order of its search. Without the
         * search for models, which finds contradictions seldom and takes its time.
         */
        private boolean contradict(List<BoolExpr> premises, List<BoolExpr> invariants, List<BoolExpr> following, int steps, int again) {
            try (Context fresh = new KeepingContext()) {
                return contradicts(fresh, steps, again,
                        solver -> Stream.of(premises, invariants, following).forEach(all -> all.forEach(f -> solver.add((BoolExpr) f.translate(fresh)))));
            }
        }

        private boolean asText(List<BoolExpr> premises, List<BoolExpr> invariants, List<BoolExpr> following, int again) {
            Solver text = z3.mkSolver();
            Stream.of(premises, invariants, following).forEach(all -> all.forEach(text::add));
            try (Context fresh = new KeepingContext()) {
                return contradicts(fresh, limit, again, solver -> solver.fromString(text.toString()));
            }
        }

        private boolean contradicts(Context fresh, int steps, int again, Consumer<Solver> formulas) {
            Solver solver = fresh.mkSimpleSolver();
            Params params = fresh.mkParams();
            params.add("rlimit", steps);
            params.add("random_seed", seed + again);
            params.add("mbqi", false);
            solver.setParameters(params);
            formulas.accept(solver);
            Status status = solver.check();
            taken += Integer.toUnsignedLong(solver.getStatistics().get("rlimit count").getUIntValue());
            return status == Status.UNSATISFIABLE;
        }
    }
}
