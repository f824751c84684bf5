package org.fencepost.prove;

import com.microsoft.z3.ArithExpr;
import com.microsoft.z3.ArithSort;
import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.BoolSort;
import com.microsoft.z3.Context;
import com.microsoft.z3.EnumSort;
import com.microsoft.z3.Expr;
import com.microsoft.z3.IntSort;
import com.microsoft.z3.Quantifier;
import com.microsoft.z3.Sort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Builds formulas, and simplifies them where that is plain: what is said of literals alone becomes true or false. That makes of one
 * translation both a prover's formulas and an evaluation in given states.
 */
final class Logic {
    private final Context z3;
    /** Different literals are different values, whatever they are. */
    private final Map<Expr<?>, String> literals = new LinkedHashMap<>();
    /** Bound variables are named by their depth, so that equal formulas are equal terms. */
    private int depth;
    private int constants;

    /** The elements of sorts of which all are known; of the others nothing is. */
    private final Map<String, List<String>> elements;
    private final Map<String, EnumSort<?>> finite = new HashMap<>();

    /** @param elements of sorts, by their names, where all are known: then a quantifier over the sort is none */
    Logic(Context z3, Map<String, List<String>> elements) {
        this.z3 = z3;
        this.elements = elements;
    }

    Context z3() {
        return z3;
    }

    /** Whether a quantifier is being built. */
    boolean underQuantifier() {
        return depth > 0;
    }

    Sort sort(Type.Basic type) {
        return switch (type.name()) {
            case "Int" -> z3.getIntSort();
            case "Bool" -> z3.getBoolSort();
            case "Str" -> z3.mkUninterpretedSort(type.name());
            default -> elements.containsKey(type.name()) ? finite(type.name()) : z3.mkUninterpretedSort(type.name());
        };
    }

    private EnumSort<?> finite(String sort) {
        return finite.computeIfAbsent(sort, name -> z3.mkEnumSort(name, elements.get(name).toArray(String[]::new)));
    }

    Expr<?> literal(String sort, String text) {
        boolean known = !sort.equals("Str") && elements.containsKey(sort);
        Expr<?> literal = known ? finite(sort).getConst(elements.get(sort).indexOf(text)) : z3.mkConst(sort + ":" + text, z3.mkUninterpretedSort(sort));
        literals.put(literal, sort);
        return literal;
    }

    /** The strings that have occurred. */
    List<Expr<?>> strings() {
        return literals.entrySet().stream().filter(l -> l.getValue().equals("Str")).<Expr<?>>map(Map.Entry::getKey).toList();
    }

    /** All values of a type, where all are known; else null. */
    List<Value> elements(Type type) {
        if (type instanceof Type.Basic basic) {
            return switch (basic.name()) {
                case "Bool" -> List.of(term(truth(true)), term(truth(false)));
                case "Int" -> elements.containsKey("Int") ? elements.get("Int").stream().map(n -> (Value) term(number(n))).toList() : null;
                default -> elements.containsKey(basic.name())
                        ? elements.get(basic.name()).stream().map(x -> (Value) term(literal(basic.name(), x))).toList() : null;
            };
        } else if (type instanceof Type.Tup tup) {
            List<List<Value>> all = combined(tup.items(), List.of());
            return all == null ? null : all.stream().map(items -> (Value) new Value.Tup(items)).toList();
        } else if (type instanceof Type.Rec rec) {
            List<List<Value>> all = combined(List.copyOf(rec.fields().values()), List.of());
            List<String> names = List.copyOf(rec.fields().keySet());
            return all == null ? null : all.stream().map(items -> {
                TreeMap<String, Value> fields = new TreeMap<>();
                names.forEach(name -> fields.put(name, items.get(names.indexOf(name))));
                return (Value) new Value.Rec(fields);
            }).toList();
        }
        return null;
    }

    private List<List<Value>> combined(List<Type> types, List<Value> so) {
        if (so.size() == types.size()) {
            return List.of(so);
        }
        List<Value> values = elements(types.get(so.size()));
        if (values == null) {
            return null;
        }
        List<List<Value>> all = new ArrayList<>();
        for (Value value : values) {
            List<List<Value>> longer = combined(types, Stream.concat(so.stream(), Stream.of(value)).toList());
            if (longer == null) {
                return null;
            }
            all.addAll(longer);
        }
        return all;
    }

    Expr<?> number(String digits) {
        return z3.mkInt(digits);
    }

    /** What the literals mean, as far as they were used. */
    List<BoolExpr> axioms() {
        List<BoolExpr> axioms = new ArrayList<>();
        for (String sort : new TreeSet<>(literals.values())) {
            Expr<?>[] different = literals.keySet().stream().filter(l -> literals.get(l).equals(sort)).toArray(Expr<?>[]::new);
            axioms.add(z3.mkDistinct(different));
        }
        return axioms;
    }

    private boolean isKnown(Expr<?> e) {
        return e.isIntNum() || e.isTrue() || e.isFalse() || literals.containsKey(e);
    }

    BoolExpr truth(boolean value) {
        return z3.mkBool(value);
    }

    BoolExpr not(BoolExpr a) {
        return a.isTrue() ? truth(false) : a.isFalse() ? truth(true) : a.isNot() ? (BoolExpr) a.getArgs()[0] : z3.mkNot(a);
    }

    BoolExpr and(BoolExpr... all) {
        return and(Arrays.asList(all));
    }

    BoolExpr and(Collection<BoolExpr> all) {
        if (all.stream().anyMatch(Expr::isFalse)) {
            return truth(false);
        }
        BoolExpr[] rest = all.stream().filter(a -> !a.isTrue()).distinct().toArray(BoolExpr[]::new);
        return rest.length == 0 ? truth(true) : rest.length == 1 ? rest[0] : z3.mkAnd(rest);
    }

    BoolExpr or(BoolExpr... all) {
        if (Stream.of(all).anyMatch(Expr::isTrue)) {
            return truth(true);
        }
        BoolExpr[] rest = Stream.of(all).filter(a -> !a.isFalse()).distinct().toArray(BoolExpr[]::new);
        return rest.length == 0 ? truth(false) : rest.length == 1 ? rest[0] : z3.mkOr(rest);
    }

    BoolExpr implies(BoolExpr a, BoolExpr b) {
        return or(not(a), b);
    }

    BoolExpr same(Expr<?> a, Expr<?> b) {
        if (!a.getSort().equals(b.getSort())) {
            throw new UnsupportedOperationException("values of different types are compared");
        }
        if (a.equals(b)) {
            return truth(true);
        } else if (isKnown(a) && isKnown(b)) {
            return truth(false);
        } else if (a.isTrue() || a.isFalse()) {
            return a.isTrue() ? (BoolExpr) b : not((BoolExpr) b);
        } else if (b.isTrue() || b.isFalse()) {
            return b.isTrue() ? (BoolExpr) a : not((BoolExpr) a);
        }
        return z3.mkEq(a, b);
    }

    BoolExpr atMost(Expr<?> a, Expr<?> b) {
        BoolExpr atMost = z3.mkLe(number(a), number(b));
        return isKnown(a) && isKnown(b) ? (BoolExpr) atMost.simplify() : atMost;
    }

    Expr<?> plus(Expr<?> a, Expr<?> b) {
        return isKnown(a) && isKnown(b) ? z3.mkAdd(number(a), number(b)).simplify() : z3.mkAdd(number(a), number(b));
    }

    Expr<?> minus(Expr<?> a, Expr<?> b) {
        return isKnown(a) && isKnown(b) ? z3.mkSub(number(a), number(b)).simplify() : z3.mkSub(number(a), number(b));
    }

    /** A product of one of two numbers is one of two products: the solver knows little of products. */
    Expr<?> times(Expr<?> a, Expr<?> b) {
        if (a.isITE()) {
            return choice((BoolExpr) a.getArgs()[0], times(a.getArgs()[1], b), times(a.getArgs()[2], b));
        } else if (b.isITE()) {
            return times(b, a);
        }
        return isKnown(a) && isKnown(b) ? z3.mkMul(number(a), number(b)).simplify() : z3.mkMul(number(a), number(b));
    }

    /** Of a number that is not negative, by a positive one. */
    @SuppressWarnings("unchecked")
    Expr<?> remainder(Expr<?> a, Expr<?> b) {
        Expr<IntSort> remainder = z3.mkMod((Expr<IntSort>) number(a), (Expr<IntSort>) number(b));
        return isKnown(a) && isKnown(b) ? remainder.simplify() : remainder;
    }

    /** Rounded down, as in TLA+, where the divisor is positive; the prover rounds otherwise for a negative one. */
    Expr<?> quotient(Expr<?> a, Expr<?> b) {
        return isKnown(a) && isKnown(b) ? z3.mkDiv(number(a), number(b)).simplify() : z3.mkDiv(number(a), number(b));
    }

    @SuppressWarnings("unchecked")
    private static Expr<? extends ArithSort> number(Expr<?> e) {
        if (!(e instanceof ArithExpr)) {
            throw new UnsupportedOperationException("a number is needed");
        }
        return (Expr<? extends ArithSort>) e;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Expr<?> choice(BoolExpr test, Expr<?> a, Expr<?> b) {
        if (!a.getSort().equals(b.getSort())) {
            throw new UnsupportedOperationException("the two cases have different types");
        }
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof BoolExpr x && b instanceof BoolExpr y && (isKnown(a) || isKnown(b))) {
            return or(and(test, x), and(not(test), y));
        }
        return z3.mkITE(test, (Expr) a, (Expr) b);
    }

    // ---- values

    Value.Term term(Expr<?> e) {
        return new Value.Term(e);
    }

    Expr<?> expr(Value value) {
        if (value instanceof Value.Term term) {
            return term.expr();
        }
        throw new UnsupportedOperationException("a number, a Boolean, a string or an element of a constant set is needed");
    }

    BoolExpr truth(Value value) {
        if (expr(value) instanceof BoolExpr formula) {
            return formula;
        }
        throw new UnsupportedOperationException("TRUE or FALSE is needed");
    }

    Value.Set set(Value value) {
        if (value instanceof Value.Set set) {
            return set;
        }
        throw new UnsupportedOperationException("a set is needed");
    }

    Value.Fun fun(Value value) {
        if (value instanceof Value.Fun fun) {
            return fun;
        }
        throw new UnsupportedOperationException("a function is needed");
    }

    /** Something arbitrary of a type. */
    Value arbitrary(String name, Type type) {
        return of(type, name + "!" + constants++, List.of());
    }

    /** Something arbitrary of the type of another value. */
    Value like(String name, Value other) {
        return term(apply(name + "!" + constants++, List.of(), expr(other).getSort()));
    }

    BoolExpr all(Type type, Function<Value, BoolExpr> body) {
        List<Value> known = elements(type);
        if (known != null) {
            return and(known.stream().map(body).toList());
        }
        List<Expr<?>> bound = new ArrayList<>();
        Value value = bound(type, bound);
        depth += bound.size();
        try {
            BoolExpr formula = body.apply(value);
            return formula.isTrue() || formula.isFalse() ? formula : z3.mkForall(bound.toArray(new Expr<?>[0]), formula, 1, null, null, null, null);
        } finally {
            depth -= bound.size();
        }
    }

    private Value bound(Type type, List<Expr<?>> into) {
        if (type instanceof Type.Basic basic) {
            Expr<?> variable = z3.mkConst("#" + (depth + into.size()) + basic.name(), sort(basic));
            into.add(variable);
            return term(variable);
        } else if (type instanceof Type.Rec rec) {
            TreeMap<String, Value> fields = new TreeMap<>();
            rec.fields().forEach((name, t) -> fields.put(name, bound(t, into)));
            return new Value.Rec(fields);
        } else if (type instanceof Type.Tup tup) {
            return new Value.Tup(tup.items().stream().map(t -> bound(t, into)).toList());
        }
        throw new UnsupportedOperationException("elements that are sets or functions are not translated");
    }

    /** The domains of functions, by the type of their arguments. */
    final Map<Type, Value.Set> domains = new LinkedHashMap<>();

    /** A value of which nothing is known but its type: functions of the prover at the leaves. */
    Value of(Type type, String name, List<Expr<?>> arguments) {
        if (type instanceof Type.Basic basic) {
            return term(apply(name, arguments, sort(basic)));
        } else if (type instanceof Type.SetOf set) {
            return leafSet(set.item(), name, arguments);
        } else if (type instanceof Type.Rec rec) {
            TreeMap<String, Value> fields = new TreeMap<>();
            rec.fields().forEach((field, t) -> fields.put(field, of(t, name + "." + field, arguments)));
            return new Value.Rec(fields);
        } else if (type instanceof Type.Tup tup) {
            List<Value> items = new ArrayList<>();
            for (Type item : tup.items()) {
                items.add(of(item, name + "." + (items.size() + 1), arguments));
            }
            return new Value.Tup(items);
        }
        Type.Fun fun = (Type.Fun) type;
        Value.Set domain = domains.get(fun.from());
        if (domain == null) {
            throw new UnsupportedOperationException("no constant is the set of all " + fun.from() + ", which the type of '" + name + "' needs");
        }
        return new Value.Fun(domain, x -> of(fun.to(), name, append(arguments, x)));
    }

    private Value.Set leafSet(Type item, String name, List<Expr<?>> arguments) {
        if (item instanceof Type.SetOf inner && arguments.isEmpty()) {
            return family(inner, name);
        }
        List<Value> known = elements(item);
        Function<Value, BoolExpr> holds = x -> (BoolExpr) apply(name, append(arguments, x), z3.getBoolSort());
        Function<Value, BoolExpr> has = known == null ? holds : x -> and(or(known.stream().map(k -> same(k, x)).toArray(BoolExpr[]::new)), holds.apply(x));
        return new Value.Set(has, body -> all(item, x -> implies(has.apply(x), body.apply(x))), () -> {
            Value some = arbitrary(name, item);
            return List.of(new Value.Pick(has.apply(some), some));
        });
    }

    /** A set of sets: each has a name of its own, of which nothing is known but what is in the set. */
    private Value.Set family(Type.SetOf inner, String name) {
        Value.Set names = leafSet(new Type.Basic("name of " + name), name, List.of());
        return image(names, x -> leafSet(inner.item(), "in " + name, append(List.of(), x)));
    }

    private Expr<?> apply(String name, List<Expr<?>> arguments, Sort result) {
        Sort[] sorts = arguments.stream().map(Expr::getSort).toArray(Sort[]::new);
        return z3.mkApp(z3.mkFuncDecl(name, sorts, result), arguments.toArray(new Expr<?>[0]));
    }

    private static List<Expr<?>> append(List<Expr<?>> arguments, Value x) {
        List<Expr<?>> all = new ArrayList<>(arguments);
        flatten(x, all);
        return all;
    }

    private static void flatten(Value x, List<Expr<?>> into) {
        if (x instanceof Value.Term term) {
            into.add(term.expr());
        } else if (x instanceof Value.Rec rec) {
            rec.fields().values().forEach(v -> flatten(v, into));
        } else if (x instanceof Value.Tup tup) {
            tup.items().forEach(v -> flatten(v, into));
        } else {
            throw new UnsupportedOperationException("elements that are sets or functions are not translated");
        }
    }

    BoolExpr same(Value a, Value b) {
        if (a == b) {
            return truth(true);
        } else if (a instanceof Value.Term x && b instanceof Value.Term y) {
            return same(x.expr(), y.expr());
        } else if (a instanceof Value.Set x && b instanceof Value.Set y) {
            return and(within(x, y), within(y, x));
        } else if (a instanceof Value.Rec x && b instanceof Value.Rec y && x.fields().keySet().equals(y.fields().keySet())) {
            return and(x.fields().keySet().stream().map(f -> same(x.fields().get(f), y.fields().get(f))).toList());
        } else if (a instanceof Value.Tup x && b instanceof Value.Tup y && x.items().size() == y.items().size()) {
            List<BoolExpr> all = new ArrayList<>();
            for (int i = 0; i < x.items().size(); i++) {
                all.add(same(x.items().get(i), y.items().get(i)));
            }
            return and(all);
        } else if (a instanceof Value.Fun x && b instanceof Value.Fun y) {
            return and(same(x.domain(), y.domain()), x.domain().all().apply(v -> same(x.at().apply(v), y.at().apply(v))));
        }
        throw new UnsupportedOperationException("values of different types are compared");
    }

    Value choice(BoolExpr test, Value a, Value b) {
        if (test.isTrue() || test.isFalse()) {
            return test.isTrue() ? a : b;
        } else if (a == b) {
            return a;
        } else if (a instanceof Value.Term x && b instanceof Value.Term y) {
            return term(choice(test, x.expr(), y.expr()));
        } else if (a instanceof Value.Set x && b instanceof Value.Set y) {
            return new Value.Set(v -> (BoolExpr) choice(test, x.has().apply(v), y.has().apply(v)),
                    body -> and(implies(test, x.all().apply(body)), implies(not(test), y.all().apply(body))),
                    () -> Stream.concat(guarded(test, x), guarded(not(test), y)).toList());
        } else if (a instanceof Value.Fun x && b instanceof Value.Fun y && x.domain() == y.domain()) {
            return new Value.Fun(x.domain(), v -> choice(test, x.at().apply(v), y.at().apply(v)));
        } else if (a instanceof Value.Rec x && b instanceof Value.Rec y && x.fields().keySet().equals(y.fields().keySet())) {
            TreeMap<String, Value> fields = new TreeMap<>();
            x.fields().forEach((f, v) -> fields.put(f, choice(test, v, y.fields().get(f))));
            return new Value.Rec(fields);
        }
        throw new UnsupportedOperationException("the two cases have different types");
    }

    private Stream<Value.Pick> guarded(BoolExpr test, Value.Set set) {
        return set.picks().get().stream().map(p -> new Value.Pick(and(test, p.guard()), p.value())).filter(p -> !p.guard().isFalse());
    }

    // ---- sets

    Value.Set items(List<Value> items) {
        return new Value.Set(x -> or(items.stream().map(i -> same(x, i)).toArray(BoolExpr[]::new)), body -> and(items.stream().map(body).toList()),
                () -> items.stream().map(i -> new Value.Pick(truth(true), i)).toList());
    }

    BoolExpr within(Value.Set a, Value.Set b) {
        return a.all().apply(b.has());
    }

    BoolExpr some(Value.Set set, Function<Value, BoolExpr> body) {
        return not(set.all().apply(x -> not(body.apply(x))));
    }

    Value.Set filter(Value.Set set, Function<Value, BoolExpr> test) {
        return new Value.Set(x -> and(set.has().apply(x), test.apply(x)), body -> set.all().apply(x -> implies(test.apply(x), body.apply(x))),
                () -> set.picks().get().stream().map(p -> new Value.Pick(and(p.guard(), test.apply(p.value())), p.value()))
                        .filter(p -> !p.guard().isFalse()).toList());
    }

    Value.Set image(Value.Set set, Function<Value, Value> f) {
        return new Value.Set(y -> some(set, x -> same(y, f.apply(x))), body -> set.all().apply(x -> body.apply(f.apply(x))),
                () -> set.picks().get().stream().map(p -> new Value.Pick(p.guard(), f.apply(p.value()))).toList());
    }

    Value.Set union(Value.Set a, Value.Set b) {
        return new Value.Set(x -> or(a.has().apply(x), b.has().apply(x)), body -> and(a.all().apply(body), b.all().apply(body)),
                () -> Stream.concat(a.picks().get().stream(), b.picks().get().stream()).toList());
    }

    Value.Set without(Value.Set a, Value.Set b) {
        return filter(a, x -> not(b.has().apply(x)));
    }

    /** A set that is only asked what is in it. */
    Value.Set ofAll(String name, Function<Value, BoolExpr> has) {
        return new Value.Set(has, body -> {
            throw new UnsupportedOperationException("a quantifier over " + name + " is not translated");
        }, () -> {
            throw new UnsupportedOperationException("a choice out of " + name + " is not translated");
        });
    }

    Value.Set interval(Expr<?> first, Expr<?> last) {
        Function<Value, BoolExpr> has = x -> and(atMost(first, expr(x)), atMost(expr(x), last));
        Type number = new Type.Basic("Int");
        if (isKnown(first) && isKnown(last)) {
            return items(LongStream.rangeClosed(Long.parseLong(first.toString()), Long.parseLong(last.toString())).mapToObj(n -> (Value) term(number(String.valueOf(n)))).toList());
        }
        return new Value.Set(has, body -> all(number, x -> implies(has.apply(x), body.apply(x))), () -> {
            Value some = arbitrary("number", number);
            return List.of(new Value.Pick(has.apply(some), some));
        });
    }

    /** The elements of a set of which all is known; null of another. */
    List<Value> known(Value.Set set) {
        List<Value.Pick> picks = set.picks().get();
        boolean known = picks.stream().allMatch(p -> p.guard().isTrue() && p.value() instanceof Value.Term term && isKnown(term.expr()));
        return known ? picks.stream().map(Value.Pick::value).toList() : null;
    }

    /** Of the subsets of a set of which all is known each one, else one as a function to truth values of which nothing is known. */
    Value.Set subsets(Value.Set of) {
        Function<Value, BoolExpr> has = x -> within(set(x), of);
        return new Value.Set(has, ofAll("a powerset", has).all(), () -> {
            List<Value> elements = known(of);
            if (elements != null) {
                return IntStream.range(0, 1 << elements.size()).mapToObj(bits -> new Value.Pick(truth(true),
                        items(IntStream.range(0, elements.size()).filter(i -> (bits >> i & 1) != 0).mapToObj(elements::get).toList()))).toList();
            }
            String name = "subset!" + constants++;
            Value.Set some = filter(of, x -> (BoolExpr) apply(name, append(List.of(), x), z3.getBoolSort()));
            return List.of(new Value.Pick(truth(true), some));
        });
    }

    /** Of the functions between sets of which all is known each one, else one of whose values only is known in which set they are. */
    Value.Set functions(Value.Set from, Value.Set to) {
        Function<Value, BoolExpr> has = f -> and(same(fun(f).domain(), from), from.all().apply(x -> to.has().apply(fun(f).at().apply(x))));
        return new Value.Set(has, ofAll("a set of functions", has).all(), () -> {
            if (known(from) != null && known(to) != null) {
                return functions(from, known(from), known(to)).map(f -> new Value.Pick(truth(true), (Value) f)).toList();
            }
            String name = "function!" + constants++;
            List<Value.Pick> values = to.picks().get();
            if (values.isEmpty()) {
                return List.of();
            }
            Sort sort = expr(values.get(0).value()).getSort();
            Value some = new Value.Fun(from, x -> term(apply(name, append(List.of(), x), sort)));
            return List.of(new Value.Pick(has.apply(some), some));
        });
    }

    private Stream<Value.Fun> functions(Value.Set from, List<Value> arguments, List<Value> values) {
        if (arguments.isEmpty()) {
            return Stream.of(new Value.Fun(from, x -> values.get(0)));
        }
        Value first = arguments.get(0);
        return functions(from, arguments.subList(1, arguments.size()), values).flatMap(rest -> values.stream()
                .map(value -> new Value.Fun(from, x -> choice(same(x, first), value, rest.at().apply(x)))));
    }

    Value.Set pairs(List<Value.Set> factors) {
        return new Value.Set(x -> {
            List<BoolExpr> all = new ArrayList<>();
            for (int i = 0; i < factors.size(); i++) {
                all.add(factors.get(i).has().apply(((Value.Tup) x).items().get(i)));
            }
            return and(all);
        }, body -> pairs(factors, List.of(), body), () -> {
            throw new UnsupportedOperationException("a choice out of a product is not translated");
        });
    }

    private BoolExpr pairs(List<Value.Set> factors, List<Value> items, Function<Value, BoolExpr> body) {
        if (items.size() == factors.size()) {
            return body.apply(new Value.Tup(items));
        }
        return factors.get(items.size()).all().apply(x -> pairs(factors, Stream.concat(items.stream(), Stream.of(x)).toList(), body));
    }

    // ---- cases

    /** The tests whether two constants are the same on which the value of some term depends. */
    Set<BoolExpr> tests(List<BoolExpr> formulas) {
        Set<BoolExpr> tests = new LinkedHashSet<>();
        Set<Expr<?>> seen = new HashSet<>();
        formulas.forEach(f -> tests(f, seen, tests));
        return tests;
    }

    private void tests(Expr<?> e, Set<Expr<?>> seen, Set<BoolExpr> into) {
        if (e.isVar() || !seen.add(e)) {
            return;
        } else if (e instanceof Quantifier quantifier) {
            tests(quantifier.getBody(), seen, into);
            return;
        } else if (e.isITE() && e.getArgs()[0].isEq() && Stream.of(e.getArgs()[0].getArgs()).allMatch(a -> a.isApp() && a.getNumArgs() == 0)) {
            into.add((BoolExpr) e.getArgs()[0]);
        }
        Stream.of(e.getArgs()).forEach(a -> tests(a, seen, into));
    }

    /** A formula where a test is known to hold, or not to. */
    BoolExpr where(BoolExpr test, boolean holds, BoolExpr formula) {
        Expr<BoolSort> with = formula.substitute(test, truth(holds));
        return (BoolExpr) (holds ? with.substitute(test.getArgs()[0], test.getArgs()[1]) : with).simplify();
    }
}
