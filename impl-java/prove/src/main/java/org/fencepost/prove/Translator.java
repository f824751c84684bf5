package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Context;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import tla2sany.semantic.ASTConstants;
import tla2sany.semantic.AtNode;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.FormalParamNode;
import tla2sany.semantic.LevelConstants;
import tla2sany.semantic.LetInNode;
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
 * {@link Steps} takes the actions, {@link Goals} takes apart what is to be proved.
 */
final class Translator {
    private static final Set<String> STANDARD = Set.of("Naturals", "Integers", "FiniteSets", "Sequences", "TLC");

    private final Specification spec;
    private final Logic logic;
    private final Map<OpDeclNode, Value> constants = new LinkedHashMap<>();
    private final Map<OpDeclNode, Type> variables;
    /** What was chosen where that is the same in all states. */
    private final Map<OpApplNode, Value> constant = new IdentityHashMap<>();
    /** What a CHOOSE has chosen, if there is something to choose. */
    private final List<BoolExpr> chosen = new ArrayList<>();

    /** The values of the variables. */
    record State(Map<OpDeclNode, Value> values) {
    }

    /** An argument or a name of a substitution, which is evaluated where it is used, in the state that is spoken about there. */
    static final class Closure {
        final ExprOrOpArgNode node;
        final Env env;
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

        Env step(State after) {
            return new Env(bound, at, now, after);
        }

        Env with(SymbolNode name, Object meaning) {
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
            } else if (isAssumedEmpty(constant)) {
                constants.put(constant, logic.items(List.of()));
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

    /** Whether Constants says that the set is empty: then there is no action with one of its elements. */
    private boolean isAssumedEmpty(OpDeclNode constant) {
        return spec.defines("Constants") && isEmptied(body("Constants"), constant);
    }

    private static boolean isEmptied(ExprOrOpArgNode node, OpDeclNode constant) {
        if (!(node instanceof OpApplNode application)) {
            return false;
        }
        ExprOrOpArgNode[] args = application.getArgs();
        return switch (application.getOperator().getName().toString()) {
            case "$ConjList", "\\land" -> Stream.of(args).anyMatch(arg -> isEmptied(arg, constant));
            case "=" -> args[0] instanceof OpApplNode left && left.getOperator() == constant
                    && args[1] instanceof OpApplNode right && right.getOperator().getName().toString().equals("$SetEnumerate") && right.getArgs().length == 0;
            default -> false;
        };
    }

    Specification spec() {
        return spec;
    }

    Logic logic() {
        return logic;
    }

    Map<OpDeclNode, Type> variables() {
        return variables;
    }

    /** A state of which nothing is known but the domains of functions, which are those of the initial state. */
    State anyState() {
        Map<OpDeclNode, Value> first = new Steps(this).initial("Init").stream().findFirst().map(branch -> branch.after().values()).orElse(Map.of());
        Map<OpDeclNode, Value> values = new LinkedHashMap<>();
        variables.forEach((v, type) -> {
            Value any = logic.of(type, v.getName().toString(), List.of());
            values.put(v, any instanceof Value.Fun fun && first.get(v) instanceof Value.Fun at ? new Value.Fun(at.domain(), fun.at()) : any);
        });
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
    Env let(LetInNode let, Env env) {
        Env inside = env;
        for (OpDefNode definition : let.getLets()) {
            if (definition.getArity() == 0) {
                inside = inside.with(definition, new Closure(definition.getBody(), inside));
            }
        }
        return inside;
    }

    Env substitute(SubstInNode node, Env env) {
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
    static boolean isStandard(OpDefNode definition) {
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
        String other = spec.overrides().get(declared.getName().toString());
        Value value = other != null ? value(body(other), env) : constants.get(declared);
        if (value == null) {
            throw Untranslatable.at(node, "the constant '" + declared.getName() + "' has no annotation @type:");
        }
        return value;
    }

    Env call(OpApplNode node, OpDefNode definition, Env env) {
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
            case "%" -> l.term(l.remainder(l.expr(value(args[0], env)), l.expr(value(args[1], env))));
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
        if (node.getLevel() == LevelConstants.ConstantLevel && node.getAllParams().stream().noneMatch(FormalParamNode.class::isInstance)) {
            if (!constant.containsKey(node)) {
                constant.put(node, chooseAnew(node, env));
            }
            return constant.get(node);
        } else if (logic.underQuantifier()) {
            throw Untranslatable.at(node, "CHOOSE is not translated under a quantifier that stays one");
        }
        return chooseAnew(node, env);
    }

    private Value chooseAnew(OpApplNode node, Env env) {
        FormalParamNode x = only(node);
        Value.Set fitting = logic.filter(set(node.getBdedQuantBounds()[0], env), v -> formula(node.getArgs()[0], env.with(x, v)));
        List<Value.Pick> picks = fitting.picks().get();
        List<Value> known = logic.known(fitting);
        if (known != null && !known.isEmpty()) {
            return known.get(0);
        } else if (picks.isEmpty()) {
            throw Untranslatable.at(node, "there is nothing to choose");
        }
        if (picks.stream().allMatch(p -> p.guard().isTrue() && logic.same(p.value(), picks.get(0).value()).isTrue())) {
            return picks.get(0).value();
        }
        Value some = logic.like("chosen", picks.get(0).value());
        chosen.add(logic.implies(logic.some(fitting, v -> logic.truth(true)), fitting.has().apply(some)));
        return some;
    }

    // ---- elements of sets

    /** What goes on with an element of each set. */
    interface Chosen {
        void go(Env env, List<BoolExpr> guards);
    }

    /** Takes an element for each name that a quantifier binds, in each way. */
    void some(OpApplNode node, Env env, List<BoolExpr> guards, int list, int item, Chosen then) {
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
