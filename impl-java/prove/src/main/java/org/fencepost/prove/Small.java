package org.fencepost.prove;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fencepost.audit.models.Config;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.TlaValue;
import tla2sany.semantic.OpDeclNode;

/**
 * A specification with few transactions and keys. A state consists of finitely many terms then and a formula has no quantifiers, so that
 * the solver can say in which state it holds, and TLC can be told the state.
 */
final class Small {
    private static final Pattern NUMBERS = Pattern.compile("(?m)^\\\\\\* numbers: *0\\.\\.(\\d+) *$");
    private static final Pattern DEFINED = Pattern.compile("(?m)^ *(\\w+) *<- *(\\w+) *$");
    private static final Pattern STRINGS = Pattern.compile("(?m)^\\\\\\* strings: *(.*)$");

    /**
     * The constants, as a configuration of TLC has them.
     *
     * @param text of the configuration
     * @param constants what each is, but for those that stand for themselves
     * @param elements that sets in a state may have of the types Int and Str
     */
    record World(String name, String text, Map<String, String> constants, Map<String, List<String>> elements) {

        /** Of the files of a specification, by name: the smaller one first. */
        static List<World> of(Path folder, String spec) throws IOException {
            List<World> worlds = new ArrayList<>();
            try (Stream<Path> listed = Files.list(folder)) {
                for (Path file : listed.filter(f -> f.getFileName().toString().matches(spec + "\\d\\w*\\.cfg")).sorted().toList()) {
                    worlds.add(of(file.getFileName().toString().replace(".cfg", ""), Files.readString(file)));
                }
            }
            if (worlds.isEmpty()) {
                throw new AuditException("There is no file '" + folder.resolve(spec + "2x1.cfg") + "', or of another size, that says of how few transactions a state is to be shown.");
            }
            return worlds;
        }

        /** Whether it says of a constant what it is. */
        boolean says(String constant) {
            return Pattern.compile("\\b" + constant + "\\s*(=|<-)").matcher(text).find();
        }

        /** The constants that a definition stands for. */
        private Map<String, String> defined() {
            Map<String, String> defined = new LinkedHashMap<>();
            DEFINED.matcher(text).results().forEach(m -> defined.put(m.group(1), m.group(2)));
            return defined;
        }

        static World of(String name, String text) {
            Map<String, List<String>> elements = new TreeMap<>();
            Matcher numbers = NUMBERS.matcher(text);
            if (numbers.find()) {
                elements.put("Int", IntStream.rangeClosed(0, Integer.parseInt(numbers.group(1))).mapToObj(String::valueOf).toList());
            }
            Matcher strings = STRINGS.matcher(text);
            if (strings.find()) {
                elements.put("Str", List.of(strings.group(1).strip().split("[ ,]+")));
            }
            return new World(name, text, Config.parse(text).constants(), elements);
        }
    }

    final Translator translator;
    private final Logic logic;

    /**
     * @param enumerated whether an action is taken with each element of a set by itself, instead of with one of them of which only that is
     *            known
     */
    Small(World world, Specification spec, Context z3, boolean enumerated) {
        Map<String, List<String>> elements = new TreeMap<>(world.elements);
        Map<String, Function<Logic, Value>> given = new LinkedHashMap<>();
        Map<String, String> defined = world.defined();
        spec.types(spec.root().getConstantDecls()).forEach((constant, type) -> {
            String name = constant.getName().toString();
            if (defined.containsKey(name)) {
                return;
            }
            given.put(name, value(type, world.constants.getOrDefault(name, name), elements, enumerated));
        });
        translator = new Translator(spec.with(defined), z3, given, elements);
        logic = translator.logic();
    }

    /** A constant's value; its elements become known. */
    private static Function<Logic, Value> value(Type type, String text, Map<String, List<String>> elements, boolean enumerated) {
        TlaValue value = TlaValue.parse(text);
        if (type instanceof Type.Basic basic) {
            if (!basic.name().equals("Int")) {
                add(basic.name(), text(value), elements);
            }
            return l -> of(value, type, l);
        } else if (type instanceof Type.SetOf set && set.item() instanceof Type.Basic item && value instanceof TlaValue.SetOf items) {
            items.items().forEach(x -> add(item.name(), text(x), elements));
            return l -> {
                Value.Set all = (Value.Set) of(value, type, l);
                return enumerated ? all : new Value.Set(all.has(), all.all(), () -> {
                    Value some = l.arbitrary("some" + item.name(), item);
                    return items.items().isEmpty() ? List.of() : List.of(new Value.Pick(all.has().apply(some), some));
                });
            };
        }
        return l -> of(value, type, l);
    }

    private static void add(String sort, String element, Map<String, List<String>> elements) {
        Set<String> more = new LinkedHashSet<>(elements.getOrDefault(sort, List.of()));
        more.add(element);
        elements.put(sort, List.copyOf(more));
    }

    private static String text(TlaValue value) {
        return value instanceof TlaValue.Str s ? s.text() : value.toString();
    }

    private static Value of(TlaValue value, Type type, Logic logic) {
        if (type instanceof Type.Basic basic) {
            return logic.term(switch (basic.name()) {
                case "Int" -> logic.number(text(value));
                case "Bool" -> logic.truth(text(value).equals("TRUE"));
                default -> logic.literal(basic.name(), text(value));
            });
        } else if (type instanceof Type.SetOf set) {
            return logic.items(((TlaValue.SetOf) value).items().stream().map(v -> of(v, set.item(), logic)).toList());
        } else if (type instanceof Type.Tup tup) {
            List<TlaValue> items = ((TlaValue.Tuple) value).items();
            return new Value.Tup(IntStream.range(0, items.size()).mapToObj(i -> of(items.get(i), tup.items().get(i), logic)).toList());
        } else if (type instanceof Type.Rec rec) {
            TreeMap<String, Value> fields = new TreeMap<>();
            rec.fields().forEach((name, t) -> fields.put(name, of(((TlaValue.Fun) value).map().get(new TlaValue.Str(name)), t, logic)));
            return new Value.Rec(fields);
        }
        Type.Fun fun = (Type.Fun) type;
        Map<Value, Value> map = new LinkedHashMap<>();
        if (value instanceof TlaValue.Fun given) {
            given.map().forEach((x, y) -> map.put(of(x, fun.from(), logic), of(y, fun.to(), logic)));
        }
        if (map.isEmpty()) { // which is a tuple to TLC
            return new Value.Fun(logic.items(List.of()), x -> logic.arbitrary("nothing", fun.to()));
        }
        return new Value.Fun(logic.domains.get(fun.from()), x -> {
            Value found = map.values().iterator().next();
            for (Map.Entry<Value, Value> entry : map.entrySet()) {
                found = logic.choice(logic.same(x, entry.getKey()), entry.getValue(), found);
            }
            return found;
        });
    }

    /** A state of which all is known. */
    Translator.State state(Map<String, TlaValue> values) {
        Map<OpDeclNode, Value> state = new LinkedHashMap<>();
        translator.variables().forEach((variable, type) -> state.put(variable, of(values.get(variable.getName().toString()), type, logic)));
        return new Translator.State(state);
    }

    /**
     * A state's values.
     *
     * @param known what is known of a term: a value
     */
    Map<String, TlaValue> values(Translator.State state, UnaryOperator<Expr<?>> known) {
        Map<String, TlaValue> values = new TreeMap<>();
        state.values().forEach((variable, value) -> values.put(variable.getName().toString(), tell(value, translator.variables().get(variable), known)));
        return values;
    }

    /** The terms of which a state consists, always in the same order. */
    List<Expr<?>> terms(Translator.State state) {
        List<Expr<?>> terms = new ArrayList<>();
        translator.variables().forEach((variable, type) -> terms(state.values().get(variable), type, terms::add));
        return terms;
    }

    private void terms(Value value, Type type, Consumer<Expr<?>> into) {
        if (type instanceof Type.Basic) {
            into.accept(logic.expr(value));
        } else if (type instanceof Type.SetOf set) {
            elements(set.item()).forEach(x -> into.accept(logic.set(value).has().apply(x)));
        } else if (type instanceof Type.Tup tup) {
            IntStream.range(0, tup.items().size()).forEach(i -> terms(((Value.Tup) value).items().get(i), tup.items().get(i), into));
        } else if (type instanceof Type.Rec rec) {
            rec.fields().forEach((name, t) -> terms(((Value.Rec) value).fields().get(name), t, into));
        } else {
            Type.Fun fun = (Type.Fun) type;
            arguments(fun, value).forEach(x -> terms(logic.fun(value).at().apply(x), fun.to(), into));
        }
    }

    private TlaValue tell(Value value, Type type, UnaryOperator<Expr<?>> known) {
        if (type instanceof Type.Basic basic) {
            String text = known.apply(logic.expr(value)).toString().replaceFirst("^\\|?Str:(.*?)\\|?$", "$1");
            return switch (basic.name()) {
                case "Str" -> new TlaValue.Str(text.replaceAll("\\W", "_"));
                case "Bool" -> new TlaValue.Atom(text.toUpperCase(Locale.ROOT));
                case "Int" -> new TlaValue.Atom(text.replaceFirst("^\\(- (\\d+)\\)$", "-$1"));
                default -> new TlaValue.Atom(text);
            };
        } else if (type instanceof Type.SetOf set) {
            Set<TlaValue> items = new LinkedHashSet<>();
            elements(set.item()).stream().filter(x -> known.apply(logic.set(value).has().apply(x)).isTrue()).forEach(x -> items.add(tell(x, set.item(), known)));
            return new TlaValue.SetOf(items);
        } else if (type instanceof Type.Tup tup) {
            return new TlaValue.Tuple(IntStream.range(0, tup.items().size()).mapToObj(i -> tell(((Value.Tup) value).items().get(i), tup.items().get(i), known)).toList());
        } else if (type instanceof Type.Rec rec) {
            Map<TlaValue, TlaValue> fields = new LinkedHashMap<>();
            rec.fields().forEach((name, t) -> fields.put(new TlaValue.Str(name), tell(((Value.Rec) value).fields().get(name), t, known)));
            return new TlaValue.Fun(fields);
        }
        Type.Fun fun = (Type.Fun) type;
        Map<TlaValue, TlaValue> map = new LinkedHashMap<>();
        arguments(fun, value).forEach(x -> map.put(tell(x, fun.from(), known), tell(logic.fun(value).at().apply(x), fun.to(), known)));
        return map.isEmpty() ? new TlaValue.Tuple(List.of()) : new TlaValue.Fun(map);
    }

    private List<Value> elements(Type type) {
        List<Value> all = logic.elements(type);
        if (all == null) {
            throw new AuditException("The configuration does not say of which numbers or strings a set may consist: it takes a line '\\* numbers: 0..4' or '\\* strings: a, b'.");
        }
        return all;
    }

    private List<Value> arguments(Type.Fun fun, Value value) {
        return elements(fun.from()).stream().filter(x -> logic.fun(value).domain().has().apply(x).isTrue()).toList();
    }
}
