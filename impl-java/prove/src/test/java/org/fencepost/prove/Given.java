package org.fencepost.prove;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fencepost.audit.text.TlaValue;
import tla2sany.semantic.OpDeclNode;

/** A translator for few transactions and keys, and states of which everything is known: in them its formulas are true or false. */
final class Given {

    /**
     * A specification with small constants.
     *
     * @param sets the constants that are sets, by sort and elements: {@code Txn -> TXN t1 t2}
     * @param none the constants that are elements of a sort, but of no set: {@code NoTxn -> TXN}
     * @param numbers the constants that are numbers
     * @param greatest the greatest number to expect in a set
     * @param paths to what a walk without aim seldom comes to
     */
    record Small(String spec, Map<String, List<String>> sets, Map<String, String> none, Map<String, Integer> numbers, int greatest,
            List<List<String>> paths) {

        /** For TLC. */
        String constants() {
            Stream<String> lines = Stream.of(sets.entrySet().stream().map(e -> e.getKey() + " = {" + e.getValue().stream().skip(1)
                    .map(x -> isText(e.getValue()) ? "\"" + x + "\"" : x).collect(Collectors.joining(", ")) + "}"),
                    none.keySet().stream().map(name -> name + " = " + name), numbers.entrySet().stream().map(e -> e.getKey() + " = " + e.getValue()))
                    .flatMap(each -> each);
            return lines.collect(Collectors.joining("\n    ", "CONSTANTS\n    ", "\n"));
        }

        private static boolean isText(List<String> set) {
            return set.get(0).equals("Str");
        }
    }

    final Translator translator;
    private final Logic logic;
    /** By sort. */
    private final Map<String, List<String>> elements = new LinkedHashMap<>();

    Given(Small small, Specification spec, Context z3) {
        Map<String, Function<Logic, Value>> constants = new LinkedHashMap<>();
        small.sets.forEach((name, set) -> {
            set.stream().skip(1).forEach(x -> elements.computeIfAbsent(set.get(0), sort -> new ArrayList<>()).add(x));
            constants.put(name, l -> l.items(set.stream().skip(1).map(x -> (Value) l.term(l.literal(set.get(0), x))).toList()));
        });
        small.none.forEach((name, sort) -> {
            elements.get(sort).add(name);
            constants.put(name, l -> l.term(l.literal(sort, name)));
        });
        small.numbers.forEach((name, number) -> constants.put(name, l -> l.term(l.number(number.toString()))));
        elements.put("Int", IntStream.rangeClosed(0, small.greatest).mapToObj(String::valueOf).toList());
        elements.putIfAbsent("Str", List.of("begin", "commit"));
        translator = new Translator(spec, z3, constants);
        logic = translator.logic();
    }

    Translator.State state(Map<String, TlaValue> values) {
        Map<OpDeclNode, Value> state = new LinkedHashMap<>();
        translator.variables().forEach((variable, type) -> state.put(variable, value(values.get(variable.getName().toString()), type)));
        return new Translator.State(state);
    }

    private Value value(TlaValue value, Type type) {
        if (type instanceof Type.Basic basic) {
            String text = value instanceof TlaValue.Str s ? s.text() : value.toString();
            return logic.term(switch (basic.name()) {
                case "Int" -> logic.number(text);
                case "Bool" -> logic.truth(text.equals("TRUE"));
                default -> logic.literal(basic.name(), text);
            });
        } else if (type instanceof Type.SetOf set) {
            return logic.items(((TlaValue.SetOf) value).items().stream().map(v -> value(v, set.item())).toList());
        } else if (type instanceof Type.Tup tup) {
            List<Value> items = new ArrayList<>();
            for (TlaValue item : ((TlaValue.Tuple) value).items()) {
                items.add(value(item, tup.items().get(items.size())));
            }
            return new Value.Tup(items);
        } else if (type instanceof Type.Rec rec) {
            TreeMap<String, Value> fields = new TreeMap<>();
            rec.fields().forEach((name, t) -> fields.put(name, value(((TlaValue.Fun) value).map().get(new TlaValue.Str(name)), t)));
            return new Value.Rec(fields);
        }
        Type.Fun fun = (Type.Fun) type;
        Map<Value, Value> map = new LinkedHashMap<>();
        ((TlaValue.Fun) value).map().forEach((x, y) -> map.put(value(x, fun.from()), value(y, fun.to())));
        return new Value.Fun(logic.domains.get(fun.from()), x -> {
            Value found = map.values().iterator().next();
            for (Map.Entry<Value, Value> entry : map.entrySet()) {
                found = logic.choice(logic.same(x, entry.getKey()), entry.getValue(), found);
            }
            return found;
        });
    }

    /** A text that is the same for the same state. */
    String text(Translator.State state) {
        return state.values().entrySet().stream().map(e -> e.getKey().getName() + " = " + text(e.getValue(), translator.variables().get(e.getKey()))).sorted()
                .collect(Collectors.joining("\n"));
    }

    private String text(Value value, Type type) {
        if (type instanceof Type.Basic) {
            Expr<?> known = logic.expr(value).simplify();
            if (known.isIntNum() || known.isApp() && known.getNumArgs() == 0) {
                return known.toString();
            }
            throw new AssertionError("It has no value: " + known);
        } else if (type instanceof Type.SetOf set) {
            return elements(set.item()).stream().filter(x -> isTrue(((Value.Set) value).has().apply(x))).map(x -> text(x, set.item())).toList().toString();
        } else if (type instanceof Type.Rec rec) {
            return rec.fields().keySet().stream().map(f -> f + "=" + text(((Value.Rec) value).fields().get(f), rec.fields().get(f))).toList().toString();
        } else if (type instanceof Type.Tup tup) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < tup.items().size(); i++) {
                text.append(text(((Value.Tup) value).items().get(i), tup.items().get(i))).append(' ');
            }
            return text.toString();
        }
        Type.Fun fun = (Type.Fun) type;
        return elements(fun.from()).stream().filter(x -> isTrue(((Value.Fun) value).domain().has().apply(x)))
                .map(x -> text(x, fun.from()) + ":" + text(((Value.Fun) value).at().apply(x), fun.to())).toList().toString();
    }

    static boolean isTrue(Expr<?> formula) {
        if (!formula.isTrue() && !formula.isFalse()) {
            throw new AssertionError("It is neither true nor false: " + formula);
        }
        return formula.isTrue();
    }

    private List<Value> elements(Type type) {
        if (type instanceof Type.Basic basic) {
            return basic.name().equals("Bool") ? List.of(logic.term(logic.truth(true)), logic.term(logic.truth(false)))
                    : elements.get(basic.name()).stream().map(text -> value(TlaValue.parse(basic.name().equals("Int") ? text : '"' + text + '"'), type)).toList();
        } else if (type instanceof Type.Tup tup) {
            return combined(tup.items(), List.of()).stream().map(items -> (Value) new Value.Tup(items)).toList();
        }
        Type.Rec rec = (Type.Rec) type;
        List<String> names = List.copyOf(rec.fields().keySet());
        return combined(List.copyOf(rec.fields().values()), List.of()).stream().map(items -> {
            TreeMap<String, Value> fields = new TreeMap<>();
            names.forEach(name -> fields.put(name, items.get(names.indexOf(name))));
            return (Value) new Value.Rec(fields);
        }).toList();
    }

    private List<List<Value>> combined(List<Type> types, List<Value> so) {
        if (so.size() == types.size()) {
            return List.of(so);
        }
        List<List<Value>> all = new ArrayList<>();
        for (Value value : elements(types.get(so.size()))) {
            List<Value> longer = new ArrayList<>(so);
            longer.add(value);
            all.addAll(combined(types, longer));
        }
        return all;
    }
}
