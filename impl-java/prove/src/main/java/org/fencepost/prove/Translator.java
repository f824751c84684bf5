package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.fencepost.audit.text.AuditException;
import tla2sany.semantic.ASTConstants;
import tla2sany.semantic.AtNode;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.FormalParamNode;
import tla2sany.semantic.LetInNode;
import tla2sany.semantic.LevelConstants;
import tla2sany.semantic.NumeralNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDeclNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SemanticNode;
import tla2sany.semantic.StringNode;
import tla2sany.semantic.Subst;
import tla2sany.semantic.SubstInNode;
import tla2sany.semantic.SymbolNode;

/**
 * What a specification means, in formulas. It walks the parser's tree as an evaluator would, with values that may be terms of the prover: in
 * a state of which nothing is known an expression becomes a formula, in a given state its value.
 *
 * <p>An action becomes branches, as in TLC: each says under which condition it is taken and what each variable is afterwards. What holds
 * after a step is then asked of these values, and needs no second set of variables.
 */
final class Translator {
    private static final Set<String> STANDARD = Set.of("Naturals", "Integers", "FiniteSets", "Sequences", "TLC");

    private final Specification spec;
    private final Logic logic;
    private final Map<OpDeclNode, Value> constants = new LinkedHashMap<>();
    private final Map<OpDeclNode, Type> variables;
    /** What a CHOOSE has chosen, if there is something to choose. */
    private final List<BoolExpr> chosen = new ArrayList<>();

    /** The values of the variables. */
    record State(Map<OpDeclNode, Value> values) {
    }

    /**
     * One way to take an action, or to begin.
     *
     * @param guards hold where it can be taken
     */
    record Branch(List<BoolExpr> guards, State after) {
        private Branch with(BoolExpr guard) {
            List<BoolExpr> more = new ArrayList<>(guards);
            more.add(guard);
            return new Branch(more, after);
        }

        private Branch with(OpDeclNode variable, Value value) {
            Map<OpDeclNode, Value> more = new LinkedHashMap<>(after.values);
            more.put(variable, value);
            return new Branch(guards, new State(more));
        }

        private boolean isImpossible() {
            return guards.stream().anyMatch(Expr::isFalse);
        }
    }

    /** Something to prove: the conclusion, where the premises hold. */
    record Goal(List<BoolExpr> premises, BoolExpr conclusion) {
    }

    /** An action of the next-state relation: a definition applied to arbitrary elements of sets. */
    record Action(String name, List<BoolExpr> guards, OpApplNode node, Env env) {
    }

    /** An argument or a name of a substitution, which is evaluated where it is used, in the state that is spoken about there. */
    private static final class Closure {
        private final ExprOrOpArgNode node;
        private final Env env;
        private State state;
        private Value value;

        private Closure(ExprOrOpArgNode node, Env env) {
            this.node = node;
            this.env = env;
        }
    }

    /**
     * @param bound what names mean here: values, or closures
     * @param at the old value in EXCEPT, or null
     * @param now the state that is spoken about
     * @param next the state after the step, as far as it is known, or null where no step is spoken about
     */
    record Env(Map<SymbolNode, Object> bound, Value at, State now, State next) {
        Env in(State state) {
            return new Env(bound, at, state, null);
        }

        private Env step(State after) {
            return new Env(bound, at, now, after);
        }

        private Env with(SymbolNode name, Object meaning) {
            Map<SymbolNode, Object> more = new IdentityHashMap<>(bound);
            more.put(name, meaning);
            return new Env(more, at, now, next);
        }

        private Env at(Value old) {
            return new Env(bound, old, now, next);
        }
    }

    /** Of sets of any size. */
    Translator(Specification spec, Context z3) {
        this(spec, z3, Map.of(), Map.of());
    }

    /**
     * @param given the constants' values by name; the others are arbitrary
     * @param elements of sorts, by their names, where all are known
     */
    Translator(Specification spec, Context z3, Map<String, Function<Logic, Value>> given, Map<String, List<String>> elements) {
        this.spec = spec;
        logic = new Logic(z3, elements);
        variables = spec.types(spec.root().getVariableDecls());
        Map<OpDeclNode, Type> types = spec.types(spec.root().getConstantDecls());
        List<OpDeclNode> all = new ArrayList<>(List.of(spec.root().getConstantDecls()));
        for (OpDeclNode constant : all) {
            Type type = types.get(constant);
            String name = constant.getName().toString();
            if (given.containsKey(name)) {
                constants.put(constant, given.get(name).apply(logic));
            } else if (type != null) {
                constants.put(constant, logic.of(type, name, List.of()));
            }
            if (type instanceof Type.SetOf set && constants.get(constant) instanceof Value.Set values) {
                logic.domains.putIfAbsent(set.item(), values);
            }
        }
        for (OpDeclNode variable : spec.root().getVariableDecls()) {
            if (!variables.containsKey(variable)) {
                throw Untranslatable.at(variable, "the variable '" + variable.getName() + "' has no annotation @type:");
            }
        }
    }

    Logic logic() {
        return logic;
    }

    Map<OpDeclNode, Type> variables() {
        return variables;
    }

    /** A state of which nothing is known. */
    State anyState() {
        Map<OpDeclNode, Value> values = new LinkedHashMap<>();
        variables.forEach((v, type) -> values.put(v, logic.of(type, v.getName().toString(), List.of())));
        return new State(values);
    }

    Env env(State now) {
        return new Env(Map.of(), null, now, null);
    }

    /** What is known of literals and of what was chosen, as far as they have occurred. */
    List<BoolExpr> axioms() {
        List<BoolExpr> axioms = new ArrayList<>(logic.axioms());
        axioms.addAll(chosen);
        return axioms;
    }

    // ---- expressions

    BoolExpr formula(ExprOrOpArgNode node, Env env) {
        try {
            return logic.truth(value(node, env));
        } catch (UnsupportedOperationException e) {
            throw Untranslatable.at(node, e.getMessage());
        }
    }

    /** An expression's value in a state. */
    Value value(ExprOrOpArgNode node, Env env) {
        try {
            if (node instanceof OpApplNode application) {
                return application(application, env);
            } else if (node instanceof NumeralNode number) {
                return logic.term(logic.number(Integer.toString(number.val())));
            } else if (node instanceof StringNode string) {
                return logic.term(logic.literal("Str", string.getRep().toString()));
            } else if (node instanceof LetInNode let) {
                return value(let.getBody(), let(let, env));
            } else if (node instanceof SubstInNode substitution) {
                return value(substitution.getBody(), substitute(substitution, env));
            } else if (node instanceof AtNode && env.at != null) {
                return env.at;
            }
        } catch (UnsupportedOperationException e) {
            throw Untranslatable.at(node, e.getMessage());
        }
        throw Untranslatable.at(node, "this is not translated");
    }

    /** The definitions of a LET mean the same wherever they are used inside it. */
    private Env let(LetInNode let, Env env) {
        Env inside = env;
        for (OpDefNode definition : let.getLets()) {
            if (definition.getArity() == 0) {
                inside = inside.with(definition, new Closure(definition.getBody(), inside));
            }
        }
        return inside;
    }

    private Env substitute(SubstInNode node, Env env) {
        Env inside = env;
        for (Subst substitution : node.getSubsts()) {
            inside = inside.with(substitution.getOp(), new Closure(substitution.getExpr(), env));
        }
        return inside;
    }

    private Value meaning(Object bound, Env env) {
        if (bound instanceof Value value) {
            return value;
        }
        Closure closure = (Closure) bound;
        if (closure.value == null || closure.state != env.now || env.next != null) {
            closure.value = value(closure.node, new Env(closure.env.bound, closure.env.at, env.now, env.next));
            closure.state = env.now;
        }
        return closure.value;
    }

    private Value application(OpApplNode node, Env env) {
        SymbolNode operator = node.getOperator();
        Object bound = env.bound.get(operator);
        if (bound != null) {
            if (node.getArgs().length > 0) {
                throw Untranslatable.at(node, "operators as arguments are not translated");
            }
            return meaning(bound, env);
        } else if (operator instanceof OpDeclNode declared) {
            return declared(node, declared, env);
        } else if (operator instanceof OpDefNode definition) {
            if (definition.getKind() == ASTConstants.BuiltInKind || isStandard(definition)) {
                return builtIn(node, definition.getName().toString(), env);
            }
            OpDefNode meant = spec.meant(definition);
            return value(meant.getBody(), call(node, meant, env));
        }
        throw Untranslatable.at(node, "'" + operator.getName() + "' is not translated");
    }

    /** Defined in a module that comes with TLC: its name is what it means. */
    private static boolean isStandard(OpDefNode definition) {
        return definition.getOriginallyDefinedInModuleNode() != null
                && STANDARD.contains(definition.getOriginallyDefinedInModuleNode().getName().toString());
    }

    private Value declared(OpApplNode node, OpDeclNode declared, Env env) {
        if (declared.getKind() == ASTConstants.VariableDeclKind) {
            Value value = env.now.values.get(declared);
            if (value == null) {
                throw Untranslatable.at(node, "the variable '" + declared.getName() + "' has no value yet");
            }
            return value;
        }
        Value value = constants.get(declared);
        if (value == null) {
            throw Untranslatable.at(node, "the constant '" + declared.getName() + "' has no annotation @type:");
        }
        return value;
    }

    private Env call(OpApplNode node, OpDefNode definition, Env env) {
        FormalParamNode[] parameters = definition.getParams();
        if (parameters.length == 0) {
            return env;
        }
        Env inside = env;
        for (int i = 0; i < parameters.length; i++) {
            inside = inside.with(parameters[i], new Closure(node.getArgs()[i], env));
        }
        return inside;
    }

    private Value builtIn(OpApplNode node, String name, Env env) {
        ExprOrOpArgNode[] args = node.getArgs();
        Logic l = logic;
        return switch (name) {
            case "TRUE", "FALSE" -> l.term(l.truth(name.equals("TRUE")));
            case "BOOLEAN" -> l.items(List.of(l.term(l.truth(true)), l.term(l.truth(false))));
            case "STRING", "Int" -> l.ofAll(name, x -> l.truth(true));
            case "Nat" -> l.ofAll(name, x -> l.atMost(l.number("0"), l.expr(x)));
            case "$ConjList", "\\land" -> l.term(l.and(formulas(args, env)));
            case "$DisjList", "\\lor" -> l.term(l.or(formulas(args, env)));
            case "\\lnot" -> l.term(l.not(formula(args[0], env)));
            case "=>" -> l.term(l.implies(formula(args[0], env), formula(args[1], env)));
            case "\\equiv" -> l.term(l.same(formula(args[0], env), formula(args[1], env)));
            case "=" -> l.term(l.same(value(args[0], env), value(args[1], env)));
            case "/=" -> l.term(l.not(l.same(value(args[0], env), value(args[1], env))));
            case "\\in" -> l.term(l.set(value(args[1], env)).has().apply(value(args[0], env)));
            case "\\notin" -> l.term(l.not(l.set(value(args[1], env)).has().apply(value(args[0], env))));
            case "\\subseteq" -> l.term(l.within(set(args[0], env), set(args[1], env)));
            case "<" -> l.term(l.not(l.atMost(l.expr(value(args[1], env)), l.expr(value(args[0], env)))));
            case ">" -> l.term(l.not(l.atMost(l.expr(value(args[0], env)), l.expr(value(args[1], env)))));
            case "\\leq" -> l.term(l.atMost(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
            case "\\geq" -> l.term(l.atMost(l.expr(value(args[1], env)), l.expr(value(args[0], env))));
            case "+" -> l.term(l.plus(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
            case "-" -> l.term(l.minus(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
            case "-." -> l.term(l.minus(l.number("0"), l.expr(value(args[0], env))));
            case "*" -> l.term(l.times(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
            case "\\div" -> l.term(l.quotient(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
            case ".." -> l.interval(l.expr(value(args[0], env)), l.expr(value(args[1], env)));
            case "\\union", "\\cup" -> l.union(set(args[0], env), set(args[1], env));
            case "\\intersect", "\\cap" -> l.filter(set(args[0], env), set(args[1], env).has());
            case "\\" -> l.without(set(args[0], env), set(args[1], env));
            case "$SetEnumerate" -> l.items(values(args, env));
            case "$SubsetOf" -> {
                FormalParamNode x = only(node);
                yield l.filter(set(node.getBdedQuantBounds()[0], env), v -> formula(args[0], env.with(x, v)));
            }
            case "$SetOfAll" -> {
                FormalParamNode x = only(node);
                yield l.image(set(node.getBdedQuantBounds()[0], env), v -> value(args[0], env.with(x, v)));
            }
            case "SUBSET" -> l.subsets(set(args[0], env));
            case "$SetOfFcns" -> l.functions(set(args[0], env), set(args[1], env));
            case "$SetOfRcds" -> {
                TreeMap<String, Value> sets = fields(args, env);
                yield l.ofAll("a set of records", r -> fieldsWithin(r, sets));
            }
            case "$CartesianProd" -> l.pairs(values(args, env).stream().map(l::set).toList());
            case "$Tuple" -> new Value.Tup(values(args, env));
            case "$RcdConstructor" -> new Value.Rec(fields(args, env));
            case "$RcdSelect" -> select(node, value(args[0], env), args[1]);
            case "$FcnConstructor" -> {
                FormalParamNode x = only(node);
                yield new Value.Fun(set(node.getBdedQuantBounds()[0], env), v -> value(args[0], env.with(x, v)));
            }
            case "$FcnApply" -> apply(value(args[0], env), args[1], env);
            case "DOMAIN" -> l.fun(value(args[0], env)).domain();
            case "$Except" -> {
                Value changed = value(args[0], env);
                for (int i = 1; i < args.length; i++) {
                    OpApplNode pair = (OpApplNode) args[i];
                    changed = except(changed, ((OpApplNode) pair.getArgs()[0]).getArgs(), 0, pair.getArgs()[1], env);
                }
                yield changed;
            }
            case "$IfThenElse" -> {
                BoolExpr test = formula(args[0], env);
                yield test.isTrue() ? value(args[1], env) : test.isFalse() ? value(args[2], env)
                        : l.choice(test, value(args[1], env), value(args[2], env));
            }
            case "$Case" -> firstOf(node, 0, env);
            case "$BoundedForall" -> l.term(quantified(node, env, 0, 0));
            case "$BoundedExists" -> l.term(l.not(quantified(node, env, 0, 0)));
            case "$BoundedChoose" -> choose(node, env);
            case "'" -> {
                if (env.next == null) {
                    throw Untranslatable.at(node, "a prime says nothing here");
                }
                yield value(args[0], env.in(env.next));
            }
            default -> throw Untranslatable.at(node, "'" + name + "' is not translated");
        };
    }

    /** The value of the first arm whose test holds; of the last one where no other does, as TLC stops where none does. */
    private Value firstOf(OpApplNode node, int arm, Env env) {
        ExprOrOpArgNode[] both = ((OpApplNode) node.getArgs()[arm]).getArgs();
        if (both[0] == null || arm + 1 == node.getArgs().length) {
            return value(both[1], env);
        }
        BoolExpr test = formula(both[0], env);
        return test.isTrue() ? value(both[1], env) : test.isFalse() ? firstOf(node, arm + 1, env)
                : logic.choice(test, value(both[1], env), firstOf(node, arm + 1, env));
    }

    private List<BoolExpr> formulaList(ExprOrOpArgNode[] args, Env env) {
        List<BoolExpr> all = new ArrayList<>();
        for (ExprOrOpArgNode arg : args) {
            all.add(formula(arg, env));
        }
        return all;
    }

    private BoolExpr[] formulas(ExprOrOpArgNode[] args, Env env) {
        return formulaList(args, env).toArray(new BoolExpr[0]);
    }

    private List<Value> values(ExprOrOpArgNode[] args, Env env) {
        List<Value> all = new ArrayList<>();
        for (ExprOrOpArgNode arg : args) {
            all.add(value(arg, env));
        }
        return all;
    }

    private Value.Set set(ExprOrOpArgNode node, Env env) {
        try {
            return logic.set(value(node, env));
        } catch (UnsupportedOperationException e) {
            throw Untranslatable.at(node, e.getMessage());
        }
    }

    private TreeMap<String, Value> fields(ExprOrOpArgNode[] pairs, Env env) {
        TreeMap<String, Value> fields = new TreeMap<>();
        for (ExprOrOpArgNode pair : pairs) {
            ExprOrOpArgNode[] both = ((OpApplNode) pair).getArgs();
            fields.put(((StringNode) both[0]).getRep().toString(), value(both[1], env));
        }
        return fields;
    }

    private BoolExpr fieldsWithin(Value record, Map<String, Value> sets) {
        if (!(record instanceof Value.Rec rec) || !rec.fields().keySet().equals(sets.keySet())) {
            throw new UnsupportedOperationException("values of different types are compared");
        }
        return logic.and(sets.entrySet().stream().map(e -> logic.set(e.getValue()).has().apply(rec.fields().get(e.getKey()))).toList());
    }

    private static Value select(OpApplNode node, Value record, ExprOrOpArgNode name) {
        if (record instanceof Value.Rec rec && name instanceof StringNode field && rec.fields().containsKey(field.getRep().toString())) {
            return rec.fields().get(field.getRep().toString());
        }
        throw Untranslatable.at(node, "there is no such field");
    }

    private Value apply(Value function, ExprOrOpArgNode argument, Env env) {
        if (function instanceof Value.Tup tuple && argument instanceof NumeralNode number && 0 < number.val() && number.val() <= tuple.items().size()) {
            return tuple.items().get(number.val() - 1);
        }
        return logic.fun(function).at().apply(value(argument, env));
    }

    private Value except(Value old, ExprOrOpArgNode[] path, int depth, ExprOrOpArgNode expression, Env env) {
        if (depth == path.length) {
            return value(expression, env.at(old));
        } else if (old instanceof Value.Rec rec && path[depth] instanceof StringNode field) {
            TreeMap<String, Value> fields = new TreeMap<>(rec.fields());
            String name = field.getRep().toString();
            fields.put(name, except(fields.get(name), path, depth + 1, expression, env));
            return new Value.Rec(fields);
        }
        Value.Fun fun = logic.fun(old);
        Value argument = value(path[depth], env);
        Value changed = except(fun.at().apply(argument), path, depth + 1, expression, env);
        return new Value.Fun(fun.domain(), x -> logic.choice(logic.same(x, argument), changed, fun.at().apply(x)));
    }

    private static FormalParamNode only(OpApplNode node) {
        FormalParamNode[][] names = node.getBdedQuantSymbolLists();
        if (names.length != 1 || names[0].length != 1 || node.isBdedQuantATuple()[0]) {
            throw Untranslatable.at(node, "more than one bound name is not translated here");
        }
        return names[0][0];
    }

    /** That all do; of an existential quantifier, that none does. */
    private BoolExpr quantified(OpApplNode node, Env env, int list, int item) {
        FormalParamNode[][] names = node.getBdedQuantSymbolLists();
        if (list == names.length) {
            BoolExpr body = formula(node.getArgs()[0], env);
            return node.getOperator().getName().toString().equals("$BoundedForall") ? body : logic.not(body);
        } else if (node.isBdedQuantATuple()[list]) {
            throw Untranslatable.at(node, "a quantifier over tuples is not translated");
        } else if (item == names[list].length) {
            return quantified(node, env, list + 1, 0);
        }
        return set(node.getBdedQuantBounds()[list], env).all().apply(v -> quantified(node, env.with(names[list][item], v), list, item + 1));
    }

    /** The one element that fulfils the condition, where that is known; else something of which only is known that it does, if anything does. */
    private Value choose(OpApplNode node, Env env) {
        if (logic.underQuantifier()) {
            throw Untranslatable.at(node, "CHOOSE is not translated under a quantifier that stays one");
        }
        FormalParamNode x = only(node);
        Value.Set fitting = logic.filter(set(node.getBdedQuantBounds()[0], env), v -> formula(node.getArgs()[0], env.with(x, v)));
        List<Value.Pick> picks = fitting.picks().get();
        if (picks.isEmpty()) {
            throw Untranslatable.at(node, "there is nothing to choose");
        }
        if (picks.stream().allMatch(p -> p.guard().isTrue() && logic.same(p.value(), picks.get(0).value()).isTrue())) {
            return picks.get(0).value();
        }
        Value some = logic.like("chosen", picks.get(0).value());
        chosen.add(logic.implies(logic.some(fitting, v -> logic.truth(true)), fitting.has().apply(some)));
        return some;
    }

    // ---- actions

    /** The initial states. */
    List<Branch> initial(String init) {
        return complete(spec.definition(init).getBody(), act(spec.definition(init).getBody(), env(null), new Branch(List.of(), new State(Map.of())), true));
    }

    /** The actions of which the next-state relation is the disjunction, each with arbitrary parameters. */
    List<Action> actions(String next, State now) {
        List<Action> actions = new ArrayList<>();
        actions(spec.definition(next).getBody(), env(now), List.of(), actions);
        return actions;
    }

    private void actions(ExprOrOpArgNode node, Env env, List<BoolExpr> guards, List<Action> into) {
        if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode definition) {
            String name = definition.getName().toString();
            if (name.equals("$DisjList") || name.equals("\\lor")) {
                for (ExprOrOpArgNode arg : application.getArgs()) {
                    actions(arg, env, guards, into);
                }
                return;
            } else if (name.equals("$BoundedExists")) {
                some(application, env, guards, 0, 0, (inside, more) -> actions(application.getArgs()[0], inside, more, into));
                return;
            } else if (definition.getKind() != ASTConstants.BuiltInKind) {
                OpDefNode meant = spec.meant(definition);
                if (isDisjunction(meant.getBody()) || isNamed(meant.getBody(), "$BoundedExists")) {
                    actions(meant.getBody(), call(application, meant, env), guards, into);
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

    private interface Chosen {
        void go(Env env, List<BoolExpr> guards);
    }

    private void some(OpApplNode node, Env env, List<BoolExpr> guards, int list, int item, Chosen then) {
        FormalParamNode[][] names = node.getBdedQuantSymbolLists();
        if (list == names.length) {
            then.go(env, guards);
        } else if (item == names[list].length) {
            some(node, env, guards, list + 1, 0, then);
        } else {
            for (Value.Pick pick : picks(node.getBdedQuantBounds()[list], env)) {
                List<BoolExpr> more = new ArrayList<>(guards);
                more.add(pick.guard());
                some(node, env.with(names[list][item], pick.value()), more, list, item + 1, then);
            }
        }
    }

    private List<Value.Pick> picks(ExprNode node, Env env) {
        try {
            return set(node, env).picks().get();
        } catch (UnsupportedOperationException e) {
            throw Untranslatable.at(node, e.getMessage());
        }
    }

    /** The ways to take an action. */
    List<Branch> branches(Action action) {
        Branch start = new Branch(action.guards(), new State(Map.of()));
        return complete(action.node(), act(action.node(), action.env(), start, false));
    }

    private List<Branch> complete(ExprOrOpArgNode node, List<Branch> branches) {
        for (Branch branch : branches) {
            for (OpDeclNode variable : variables.keySet()) {
                if (!branch.after.values.containsKey(variable)) {
                    throw Untranslatable.at(node, "it does not say what '" + variable.getName() + "' becomes");
                }
            }
        }
        return branches;
    }

    /** The branches that continue one with what a formula says. */
    private List<Branch> act(ExprOrOpArgNode node, Env env, Branch so, boolean init) {
        if (so.isImpossible()) {
            return List.of();
        }
        if (node instanceof LetInNode let && isAction(node, init)) {
            return act(let.getBody(), let(let, env), so, init);
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
                BoolExpr test = formula(args[0], step(env, so, init));
                branches.addAll(act(args[1], env, so.with(test), init));
                branches.addAll(act(args[2], env, so.with(logic.not(test)), init));
            }
            case "$Case" -> {
                List<BoolExpr> none = new ArrayList<>();
                for (ExprOrOpArgNode arm : args) {
                    ExprOrOpArgNode[] both = ((OpApplNode) arm).getArgs();
                    BoolExpr test = both[0] == null ? logic.and(none) : formula(both[0], step(env, so, init));
                    none.add(logic.not(test));
                    branches.addAll(act(both[1], env, so.with(test), init));
                }
            }
            case "$BoundedExists" -> {
                List<Branch> all = branches;
                some(application, step(env, so, init), List.of(), 0, 0, (inside, guards) -> {
                    Branch more = so;
                    for (BoolExpr guard : guards) {
                        more = more.with(guard);
                    }
                    all.addAll(act(args[0], new Env(inside.bound, inside.at, env.now, env.next), more, init));
                });
            }
            case "UNCHANGED" -> branches.addAll(unchanged(args[0], env, so));
            case "=" -> {
                OpDeclNode variable = assigned(args[0], init);
                if (variable == null || so.after.values.containsKey(variable)) {
                    return guard(node, env, so, init);
                }
                branches.add(so.with(variable, value(args[1], step(env, so, init))));
            }
            default -> {
                if (definition.getKind() == ASTConstants.BuiltInKind || isStandard(definition)) {
                    return guard(node, env, so, init);
                }
                OpDefNode meant = spec.meant(definition);
                return act(meant.getBody(), call(application, meant, env), so, init);
            }
        }
        return branches;
    }

    private static boolean isAction(ExprOrOpArgNode node, boolean init) {
        return init || node.getLevel() >= LevelConstants.ActionLevel;
    }

    private static Env step(Env env, Branch so, boolean init) {
        return init ? env.in(so.after) : env.step(so.after);
    }

    private List<Branch> guard(ExprOrOpArgNode node, Env env, Branch so, boolean init) {
        BoolExpr guard = formula(node, step(env, so, init));
        return guard.isFalse() ? List.of() : List.of(so.with(guard));
    }

    /** The variable that is on the left of an equation, with a prime but for initial states. */
    private static OpDeclNode assigned(ExprOrOpArgNode node, boolean init) {
        if (!(node instanceof OpApplNode left)) {
            return null;
        } else if (!init) {
            return left.getOperator().getName().toString().equals("'") ? assigned(left.getArgs()[0], true) : null;
        }
        return left.getOperator() instanceof OpDeclNode declared && declared.getKind() == ASTConstants.VariableDeclKind ? declared : null;
    }

    private List<Branch> unchanged(ExprOrOpArgNode node, Env env, Branch so) {
        if (node instanceof OpApplNode application) {
            OpDeclNode variable = assigned(node, true);
            if (variable != null) {
                Value old = env.now.values.get(variable);
                Value already = so.after.values.get(variable);
                return List.of(already == null ? so.with(variable, old) : so.with(logic.same(already, old)));
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

    // ---- goals

    /**
     * What is to be proved so that a formula holds: conjunctions and cases are taken apart, and what a quantifier says of all is to be
     * proved of an arbitrary element.
     */
    List<Goal> goals(ExprOrOpArgNode node, Env env) {
        List<Goal> goals = new ArrayList<>();
        goals(node, env, List.of(), goals);
        return goals;
    }

    private void goals(ExprOrOpArgNode node, Env env, List<BoolExpr> premises, List<Goal> into) {
        if (premises.stream().anyMatch(Expr::isFalse)) {
            return;
        }
        if (node instanceof LetInNode let) {
            goals(let.getBody(), let(let, env), premises, into);
            return;
        } else if (node instanceof SubstInNode substitution) {
            goals(substitution.getBody(), substitute(substitution, env), premises, into);
            return;
        } else if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode definition
                && !env.bound.containsKey(definition)) {
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
                        more = add(more, logic.not(formula(args[i], env)));
                    }
                    goals(args[args.length - 1], env, more, into);
                    return;
                }
                case "=>" -> {
                    goals(args[1], env, add(premises, formula(args[0], env)), into);
                    return;
                }
                case "$IfThenElse" -> {
                    BoolExpr test = formula(args[0], env);
                    goals(args[1], env, add(premises, test), into);
                    goals(args[2], env, add(premises, logic.not(test)), into);
                    return;
                }
                case "$BoundedForall" -> {
                    some(application, env, premises, 0, 0, (inside, more) -> goals(args[0], inside, more, into));
                    return;
                }
                default -> {
                    if (definition.getKind() != ASTConstants.BuiltInKind && !isStandard(definition)) {
                        OpDefNode meant = spec.meant(definition);
                        goals(meant.getBody(), call(application, meant, env), premises, into);
                        return;
                    }
                }
            }
        }
        cases(premises, formula(node, env), into);
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

    // ---- induction

    /** A definition's body for a number, in a state. */
    Env with(String definition, Value number, Env env) {
        return env.with(spec.definition(definition).getParams()[0], number);
    }

    /**
     * What is true of all natural numbers, said of the numbers that variables hold: the solver would not know of which numbers to take it.
     */
    List<BoolExpr> instances(String definition, State now) {
        List<BoolExpr> instances = new ArrayList<>();
        now.values.forEach((variable, value) -> {
            if (variables.get(variable) instanceof Type.Fun fun && fun.to().equals(new Type.Basic("Int"))) {
                instances.add(logic.fun(value).domain().all().apply(x -> {
                    Value number = logic.fun(value).at().apply(x);
                    return logic.implies(logic.atMost(logic.number("0"), logic.expr(number)),
                            formula(spec.definition(definition).getBody(), with(definition, number, env(now))));
                }));
            }
        });
        return instances;
    }

    // ---- parts

    /** The names of which a definition is the conjunction, as far as it is one of names. */
    Map<String, ExprOrOpArgNode> conjuncts(String name) {
        Map<String, ExprOrOpArgNode> parts = new LinkedHashMap<>();
        conjuncts(spec.definition(name).getBody(), parts, name);
        return parts;
    }

    private void conjuncts(ExprOrOpArgNode node, Map<String, ExprOrOpArgNode> into, String within) {
        if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode definition) {
            String name = definition.getName().toString();
            if (name.equals("$ConjList") || name.equals("\\land")) {
                for (ExprOrOpArgNode arg : application.getArgs()) {
                    conjuncts(arg, into, within);
                }
                return;
            } else if (definition.getKind() != ASTConstants.BuiltInKind && definition.getArity() == 0) {
                ExprNode body = spec.meant(definition).getBody();
                if (body instanceof OpApplNode b && Set.of("$ConjList", "\\land").contains(b.getOperator().getName().toString())
                        && namesOnly(b)) {
                    conjuncts(body, into, name);
                } else {
                    into.put(name, node);
                }
                return;
            }
        }
        throw Untranslatable.at(node, within + " is to be a conjunction of names");
    }

    private static boolean namesOnly(OpApplNode node) {
        for (SemanticNode arg : node.getArgs()) {
            boolean isName = arg instanceof OpApplNode a && a.getOperator() instanceof OpDefNode d
                    && (Set.of("$ConjList", "\\land").contains(d.getName().toString()) ? namesOnly(a)
                            : d.getKind() != ASTConstants.BuiltInKind && d.getArity() == 0);
            if (!isName) {
                return false;
            }
        }
        return true;
    }

    /** @throws AuditException where there is no such definition */
    ExprNode body(String name) {
        return spec.meant(spec.definition(name)).getBody();
    }
}
