package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Expr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tla2sany.semantic.ASTConstants;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.LetInNode;
import tla2sany.semantic.LevelConstants;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDeclNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SubstInNode;

/**
 * The steps of a specification. An action becomes branches, as in TLC: each says under which condition it is taken and what each variable is
 * afterwards. What holds after a step is then asked of these values, and needs no second set of variables.
 */
final class Steps {
    private final Translator translator;
    private final Specification spec;
    private final Logic logic;

    Steps(Translator translator) {
        this.translator = translator;
        spec = translator.spec();
        logic = translator.logic();
    }

    /**
     * One way to take an action, or to begin.
     *
     * @param guards hold where it can be taken
     */
    record Branch(List<BoolExpr> guards, Translator.State after) {
        private Branch with(BoolExpr guard) {
            List<BoolExpr> more = new ArrayList<>(guards);
            more.add(guard);
            return new Branch(more, after);
        }

        private Branch with(OpDeclNode variable, Value value) {
            Map<OpDeclNode, Value> more = new LinkedHashMap<>(after.values());
            more.put(variable, value);
            return new Branch(guards, new Translator.State(more));
        }

        private boolean isImpossible() {
            return guards.stream().anyMatch(Expr::isFalse);
        }
    }

    /** An action of the next-state relation: a definition applied to arbitrary elements of sets. */
    record Action(String name, List<BoolExpr> guards, OpApplNode node, Translator.Env env) {
    }

    /** The initial states. */
    List<Branch> initial(String init) {
        return complete(spec.definition(init).getBody(), act(spec.definition(init).getBody(), translator.env(null), new Branch(List.of(), new Translator.State(Map.of())), true));
    }

    /** The actions of which the next-state relation is the disjunction, each with arbitrary parameters. */
    List<Action> actions(String next, Translator.State now) {
        List<Action> actions = new ArrayList<>();
        actions(spec.definition(next).getBody(), translator.env(now), List.of(), actions);
        return actions;
    }

    private void actions(ExprOrOpArgNode node, Translator.Env env, List<BoolExpr> guards, List<Action> into) {
        if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode definition) {
            String name = definition.getName().toString();
            if (name.equals("$DisjList") || name.equals("\\lor")) {
                for (ExprOrOpArgNode arg : application.getArgs()) {
                    actions(arg, env, guards, into);
                }
                return;
            } else if (name.equals("$BoundedExists")) {
                translator.some(application, env, guards, 0, 0, (inside, more) -> actions(application.getArgs()[0], inside, more, into));
                return;
            } else if (definition.getKind() != ASTConstants.BuiltInKind) {
                OpDefNode meant = spec.meant(definition);
                if (isDisjunction(meant.getBody()) || isNamed(meant.getBody(), "$BoundedExists")) {
                    actions(meant.getBody(), translator.call(application, meant, env), guards, into);
                } else if (!guards.stream().anyMatch(Expr::isFalse)) {
                    into.add(new Action(name, guards, application, env));
                }
                return;
            }
        }
        throw Untranslatable.at(node, "an action without a name is not translated");
    }

    private static boolean isDisjunction(ExprNode body) {
        return body instanceof OpApplNode application && Set.of("$DisjList", "\\lor").contains(application.getOperator().getName().toString());
    }

    private static boolean isNamed(ExprNode node, String operator) {
        return node instanceof OpApplNode application && application.getOperator().getName().toString().equals(operator);
    }

    /** The ways to take an action. */
    List<Branch> branches(Action action) {
        Branch start = new Branch(action.guards(), new Translator.State(Map.of()));
        return complete(action.node(), act(action.node(), action.env(), start, false));
    }

    private List<Branch> complete(ExprOrOpArgNode node, List<Branch> branches) {
        for (Branch branch : branches) {
            for (OpDeclNode variable : translator.variables().keySet()) {
                if (!branch.after.values().containsKey(variable)) {
                    throw Untranslatable.at(node, "it does not say what '" + variable.getName() + "' becomes");
                }
            }
        }
        return branches;
    }

    /** The branches that continue one with what a formula says. */
    private List<Branch> act(ExprOrOpArgNode node, Translator.Env env, Branch so, boolean init) {
        if (so.isImpossible()) {
            return List.of();
        }
        if (node instanceof SubstInNode substitution && isAction(node, init)) {
            return act(substitution.getBody(), translator.substitute(substitution, env), so, init);
        }
        if (node instanceof LetInNode let && isAction(node, init)) {
            return act(let.getBody(), translator.let(let, env), so, init);
        }
        if (!(node instanceof OpApplNode application) || !(application.getOperator() instanceof OpDefNode definition) || !isAction(node, init) && !isDisjunction(application)) {
            return guard(node, env, so, init);
        }
        ExprOrOpArgNode[] args = application.getArgs();
        List<Branch> branches = new ArrayList<>();
        switch (definition.getName().toString()) {
            case "$ConjList", "\\land" -> {
                branches.add(so);
                for (ExprOrOpArgNode arg : args) {
                    List<Branch> longer = new ArrayList<>();
                    branches.forEach(b -> longer.addAll(act(arg, env, b, init)));
                    branches = longer;
                }
            }
            case "$DisjList", "\\lor" -> {
                for (ExprOrOpArgNode arg : args) {
                    branches.addAll(act(arg, env, so, init));
                }
            }
            case "$IfThenElse" -> {
                BoolExpr test = translator.formula(args[0], step(env, so, init));
                branches.addAll(act(args[1], env, so.with(test), init));
                branches.addAll(act(args[2], env, so.with(logic.not(test)), init));
            }
            case "$Case" -> {
                List<BoolExpr> none = new ArrayList<>();
                for (ExprOrOpArgNode arm : args) {
                    ExprOrOpArgNode[] both = ((OpApplNode) arm).getArgs();
                    BoolExpr test = both[0] == null ? logic.and(none) : translator.formula(both[0], step(env, so, init));
                    none.add(logic.not(test));
                    branches.addAll(act(both[1], env, so.with(test), init));
                }
            }
            case "$BoundedExists" -> {
                List<Branch> all = branches;
                translator.some(application, step(env, so, init), List.of(), 0, 0, (inside, guards) -> {
                    Branch more = so;
                    for (BoolExpr guard : guards) {
                        more = more.with(guard);
                    }
                    all.addAll(act(args[0], new Translator.Env(inside.bound(), inside.at(), env.now(), env.next()), more, init));
                });
            }
            case "UNCHANGED" -> branches.addAll(unchanged(args[0], env, so));
            case "=" -> {
                OpDeclNode variable = assigned(args[0], init, env);
                if (variable == null || so.after.values().containsKey(variable)) {
                    return guard(node, env, so, init);
                }
                branches.add(so.with(variable, translator.value(args[1], step(env, so, init))));
            }
            default -> {
                if (definition.getKind() == ASTConstants.BuiltInKind || Translator.isStandard(definition)) {
                    return guard(node, env, so, init);
                }
                OpDefNode meant = spec.meant(definition);
                return act(meant.getBody(), translator.call(application, meant, env), so, init);
            }
        }
        return branches;
    }

    private static boolean isAction(ExprOrOpArgNode node, boolean init) {
        return init || node.getLevel() >= LevelConstants.ActionLevel;
    }

    private static Translator.Env step(Translator.Env env, Branch so, boolean init) {
        return init ? env.in(so.after) : env.step(so.after);
    }

    private List<Branch> guard(ExprOrOpArgNode node, Translator.Env env, Branch so, boolean init) {
        BoolExpr guard = translator.formula(node, step(env, so, init));
        return guard.isFalse() ? List.of() : List.of(so.with(guard));
    }

    /** The variable that is on the left of an equation, with a prime but for initial states. */
    private static OpDeclNode assigned(ExprOrOpArgNode node, boolean init, Translator.Env env) {
        if (init) {
            return variable(node, env);
        }
        return node instanceof OpApplNode left && left.getOperator().getName().toString().equals("'") ? variable(left.getArgs()[0], env) : null;
    }

    /** The variable that a node is, or that an instance's variable stands for; null where it is something else. */
    private static OpDeclNode variable(ExprOrOpArgNode node, Translator.Env env) {
        if (!(node instanceof OpApplNode name)) {
            return null;
        } else if (env.bound().get(name.getOperator()) instanceof Translator.Closure closure) {
            return variable(closure.node, closure.env);
        }
        return name.getOperator() instanceof OpDeclNode declared && declared.getKind() == ASTConstants.VariableDeclKind ? declared : null;
    }

    private List<Branch> unchanged(ExprOrOpArgNode node, Translator.Env env, Branch so) {
        if (node instanceof OpApplNode application) {
            OpDeclNode variable = variable(node, env);
            if (variable != null) {
                Value old = env.now().values().get(variable);
                Value already = so.after.values().get(variable);
                return List.of(already == null ? so.with(variable, old) : so.with(logic.same(already, old)));
            } else if (env.bound().containsKey(application.getOperator())) {
                // what an instance has for a variable of its own, and is none here
                return List.of(so.with(logic.same(translator.value(node, env.in(so.after())), translator.value(node, env))));
            } else if (application.getOperator() instanceof OpDefNode definition) {
                if (definition.getName().toString().equals("$Tuple")) {
                    List<Branch> branches = List.of(so);
                    for (ExprOrOpArgNode arg : application.getArgs()) {
                        branches = unchanged(arg, env, branches.get(0));
                    }
                    return branches;
                } else if (definition.getKind() != ASTConstants.BuiltInKind && definition.getArity() == 0) {
                    return unchanged(spec.meant(definition).getBody(), env, so);
                }
            }
        }
        throw Untranslatable.at(node, "UNCHANGED takes variables here, and tuples of them");
    }
}
