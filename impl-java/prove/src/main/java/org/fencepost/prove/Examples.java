package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import com.microsoft.z3.Model;
import com.microsoft.z3.Params;
import com.microsoft.z3.Solver;
import com.microsoft.z3.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.fencepost.audit.text.TlaValue;
import tla2sany.semantic.ExprOrOpArgNode;

/**
 * States that the solver finds for a few transactions and keys: one in which the invariant holds and an action can be taken, so that what is
 * proved of the action is not proved of nothing; or one in which it holds and from which a step leads to where it does not.
 */
final class Examples {
    /** The least numbers that are tried in place of those that the solver gave. */
    private static final int LOW = 6;
    /** A state takes longer to find than a contradiction. */
    private static final int PATIENCE = 20;

    private final Specification spec;
    private final Small.World world;
    private final int limit;

    /** @param limit of the solver's steps for one proof */
    Examples(Specification spec, Small.World world, int limit) {
        this.spec = spec;
        this.world = world;
        this.limit = limit;
    }

    Small.World world() {
        return world;
    }

    /**
     * @param branches ways to take the action
     * @param states in which one of them each can be taken; there may be fewer
     */
    record Possible(String action, int branches, List<Map<String, TlaValue>> states) {
    }

    /** Where the invariant holds and the action can be taken. */
    Possible possible(String action) {
        return ask(question -> possible(question, action));
    }

    private static Possible possible(Question question, String action) {
        List<Steps.Branch> branches = question.branches(action);
        List<Map<String, TlaValue>> states = new ArrayList<>();
        for (Steps.Branch branch : branches) {
            Solver solver = question.solver(branch.guards());
            if (solver.check() == Status.SATISFIABLE) {
                states.add(question.values(solver.getModel()));
            }
        }
        return new Possible(action, branches.size(), states);
    }

    /**
     * @param part of the proof: an action, or what is said to follow
     * @param conjuncts that do not hold after the action, or do not follow
     * @param state where the invariant holds from which the first one is reached, or in which it does not hold; as like the initial state as
     *            possible
     */
    record Broken(String part, List<String> conjuncts, Map<String, TlaValue> state) {
    }

    /** What is not so, if anything: that the solver finds nothing proves nothing of more transactions. */
    Optional<Broken> broken(String part) {
        return ask(question -> broken(question, part));
    }

    private static Optional<Broken> broken(Question question, String part) {
        boolean follows = Proof.FOLLOW.contains(part);
        List<Steps.Branch> branches = follows ? List.of(new Steps.Branch(List.of(), question.now)) : question.branches(part);
        List<String> conjuncts = new ArrayList<>();
        Map<String, TlaValue> state = null;
        Map<String, ExprOrOpArgNode> all = question.translator.conjuncts(follows ? part : "Inductive");
        for (Map.Entry<String, ExprOrOpArgNode> conjunct : all.entrySet()) {
            for (Steps.Branch branch : branches) {
                List<BoolExpr> premises = new ArrayList<>(branch.guards());
                premises.add(question.translator.logic().not(question.translator.formula(conjunct.getValue(), question.translator.env(branch.after()))));
                Solver solver = question.solver(premises);
                if (solver.check() == Status.SATISFIABLE) {
                    conjuncts.add(conjunct.getKey());
                    state = state == null ? question.least(solver) : state;
                    break;
                }
            }
        }
        return conjuncts.isEmpty() ? Optional.empty() : Optional.of(new Broken(part, conjuncts, state));
    }

    /** An initial state. */
    Map<String, TlaValue> initial() {
        return ask(question -> question.small.values(question.steps.initial("Init").get(0).after(), Expr::simplify));
    }

    /** In a context of its own: no answer depends on what was asked before. */
    private <T> T ask(Function<Question, T> what) {
        try (Context z3 = new KeepingContext()) {
            return what.apply(new Question(z3));
        }
    }

    /** What is assumed of a state of which nothing else is known. */
    private final class Question {
        private final Context z3;
        private final Small small;
        private final Translator translator;
        private final Steps steps;
        private final Translator.State now;
        private final List<BoolExpr> assumed = new ArrayList<>();

        private Question(Context z3) {
            this.z3 = z3;
            small = new Small(world, spec, z3, false);
            translator = small.translator;
            steps = new Steps(translator);
            now = translator.anyState();
            for (String name : List.of("Constants", "TypeOK", "Inductive")) {
                if (spec.defines(name)) {
                    assumed.add(translator.formula(translator.body(name), translator.env(now)));
                }
            }
        }

        private List<Steps.Branch> branches(String action) {
            return steps.actions("Next", now).stream().filter(a -> a.name().equals(action)).flatMap(a -> steps.branches(a).stream()).toList();
        }

        private Solver solver(List<BoolExpr> premises) {
            Solver solver = z3.mkSolver();
            Params params = z3.mkParams();
            params.add("rlimit", (int) Math.min(Integer.MAX_VALUE, PATIENCE * (long) limit));
            solver.setParameters(params);
            assumed.forEach(solver::add);
            premises.forEach(solver::add);
            translator.axioms().forEach(solver::add);
            return solver;
        }

        private Map<String, TlaValue> values(Model model) {
            Map<String, Expr<?>> strings = new TreeMap<>();
            translator.logic().strings().forEach(literal -> strings.put(model.eval(literal, true).toString(), literal));
            return small.values(now, e -> {
                Expr<?> value = model.eval(e, true);
                return strings.getOrDefault(value.toString(), value);
            });
        }

        /** Everything that need not be otherwise is as in the beginning, and numbers are small. */
        private Map<String, TlaValue> least(Solver solver) {
            Model model = solver.getModel();
            List<Expr<?>> terms = small.terms(now);
            List<Expr<?>> initial = small.terms(steps.initial("Init").get(0).after());
            List<Expr<?>> others = new ArrayList<>();
            for (int i = 0; i < terms.size(); i++) {
                Model found = with(solver, translator.logic().same(terms.get(i), initial.get(i)));
                if (found != null) {
                    model = found;
                } else if (terms.get(i).isInt()) {
                    others.add(terms.get(i));
                }
            }
            for (Expr<?> number : others) {
                Model found = null;
                for (int n = 0; n <= LOW && found == null; n++) {
                    found = with(solver, translator.logic().same(number, translator.logic().number(String.valueOf(n))));
                }
                model = found == null ? model : found;
            }
            return values(model);
        }

        /** The solver's model where this holds, too, which stays asserted then; or null. */
        private Model with(Solver solver, BoolExpr more) {
            if (solver.check(more) != Status.SATISFIABLE) {
                return null;
            }
            Model model = solver.getModel();
            solver.add(more);
            return model;
        }
    }
}
