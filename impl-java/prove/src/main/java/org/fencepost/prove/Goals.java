package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Expr;
import java.util.ArrayList;
import java.util.List;
import tla2sany.semantic.ASTConstants;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.LetInNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SubstInNode;

/** What is to be proved, taken apart: each goal is small, and speaks of arbitrary elements instead of all. */
final class Goals {
    private final Translator translator;
    private final Specification spec;
    private final Logic logic;

    Goals(Translator translator) {
        this.translator = translator;
        spec = translator.spec();
        logic = translator.logic();
    }

    /** Something to prove: the conclusion, where the premises hold. */
    record Goal(List<BoolExpr> premises, BoolExpr conclusion) {
    }

    /**
     * What is to be proved so that a formula holds: conjunctions and cases are taken apart, and what a quantifier says of all is to be
     * proved of an arbitrary element.
     */
    List<Goal> goals(ExprOrOpArgNode node, Translator.Env env) {
        List<Goal> goals = new ArrayList<>();
        goals(node, env, List.of(), goals);
        return goals;
    }

    private void goals(ExprOrOpArgNode node, Translator.Env env, List<BoolExpr> premises, List<Goal> into) {
        if (premises.stream().anyMatch(Expr::isFalse)) {
            return;
        }
        if (node instanceof LetInNode let) {
            goals(let.getBody(), translator.let(let, env), premises, into);
            return;
        } else if (node instanceof SubstInNode substitution) {
            goals(substitution.getBody(), translator.substitute(substitution, env), premises, into);
            return;
        } else if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode definition
                && !env.bound().containsKey(definition)) {
            ExprOrOpArgNode[] args = application.getArgs();
            switch (definition.getName().toString()) {
                case "$ConjList", "\\land" -> {
                    for (ExprOrOpArgNode arg : args) {
                        goals(arg, env, premises, into);
                    }
                    return;
                }
                case "$DisjList", "\\lor" -> {
                    List<BoolExpr> more = premises;
                    for (int i = 0; i + 1 < args.length; i++) {
                        more = add(more, logic.not(translator.formula(args[i], env)));
                    }
                    goals(args[args.length - 1], env, more, into);
                    return;
                }
                case "=>" -> {
                    goals(args[1], env, add(premises, translator.formula(args[0], env)), into);
                    return;
                }
                case "$IfThenElse" -> {
                    BoolExpr test = translator.formula(args[0], env);
                    goals(args[1], env, add(premises, test), into);
                    goals(args[2], env, add(premises, logic.not(test)), into);
                    return;
                }
                case "$BoundedForall" -> {
                    translator.some(application, env, premises, 0, 0, (inside, more) -> goals(args[0], inside, more, into));
                    return;
                }
                default -> {
                    if (definition.getKind() != ASTConstants.BuiltInKind && !Translator.isStandard(definition)) {
                        OpDefNode meant = spec.meant(definition);
                        goals(meant.getBody(), translator.call(application, meant, env), premises, into);
                        return;
                    }
                }
            }
        }
        cases(premises, translator.formula(node, env), into);
    }

    /** An equation with one of two values is one equation for each. */
    private void cases(List<BoolExpr> premises, BoolExpr conclusion, List<Goal> into) {
        if (conclusion.isTrue()) {
            return;
        }
        Expr<?>[] sides = conclusion.isEq() ? conclusion.getArgs() : new Expr<?>[0];
        for (int i = 0; i < sides.length; i++) {
            if (sides[i].isITE()) {
                BoolExpr test = (BoolExpr) sides[i].getArgs()[0];
                cases(add(premises, test), logic.same(sides[1 - i], sides[i].getArgs()[1]), into);
                cases(add(premises, logic.not(test)), logic.same(sides[1 - i], sides[i].getArgs()[2]), into);
                return;
            }
        }
        into.add(new Goal(premises, conclusion));
    }

    private static List<BoolExpr> add(List<BoolExpr> list, BoolExpr one) {
        List<BoolExpr> more = new ArrayList<>(list);
        more.add(one);
        return more;
    }

    /** A definition's body for a number, in a state. */
    Translator.Env with(String definition, Value number, Translator.Env env) {
        return env.with(spec.definition(definition).getParams()[0], number);
    }

    /**
     * What is true of all natural numbers, said of the numbers that variables hold: the solver would not know of which numbers to take it.
     */
    List<BoolExpr> instances(String definition, Translator.State now) {
        List<BoolExpr> instances = new ArrayList<>();
        now.values().forEach((variable, value) -> {
            if (translator.variables().get(variable) instanceof Type.Fun fun && fun.to().equals(new Type.Basic("Int"))) {
                instances.add(logic.fun(value).domain().all().apply(x -> {
                    Value number = logic.fun(value).at().apply(x);
                    return logic.implies(logic.atMost(logic.number("0"), logic.expr(number)),
                            translator.formula(spec.definition(definition).getBody(), with(definition, number, translator.env(now))));
                }));
            }
        });
        return instances;
    }
}
