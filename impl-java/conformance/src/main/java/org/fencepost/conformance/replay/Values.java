package org.fencepost.conformance.replay;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fencepost.audit.text.TlaValue;

/** TLA+ values as the specifications use them: names and numbers, sets, and functions on names. */
public final class Values {

    private Values() {
    }

    /** Also of a pair, which reads as one. */
    public static TlaValue name(String text) {
        return text.startsWith("<") ? new TlaValue.Tuple(Stream.of(text.substring(1, text.length() - 1).split(", ")).map(Values::name).toList())
                : new TlaValue.Atom(text);
    }

    public static TlaValue number(long value) {
        return new TlaValue.Atom(Long.toString(value));
    }

    public static TlaValue string(String text) {
        return new TlaValue.Str(text);
    }

    public static TlaValue pair(String first, String second) {
        return new TlaValue.Tuple(List.of(name(first), name(second)));
    }

    public static TlaValue set(Stream<TlaValue> items) {
        return new TlaValue.SetOf(items.collect(LinkedHashSet::new, Set::add, Set::addAll));
    }

    public static TlaValue names(Stream<String> items) {
        return set(items.map(Values::name));
    }

    public static TlaValue function(Collection<String> domain, Function<String, TlaValue> value) {
        Map<TlaValue, TlaValue> map = new LinkedHashMap<>();
        domain.forEach(index -> map.put(name(index), value.apply(index)));
        return map.isEmpty() ? new TlaValue.Tuple(List.of()) : new TlaValue.Fun(map);
    }

    /** @param namesAndValues in turn */
    public static TlaValue record(Object... namesAndValues) {
        Map<TlaValue, TlaValue> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(string((String) namesAndValues[i]), (TlaValue) namesAndValues[i + 1]);
        }
        return new TlaValue.Fun(map);
    }

    // ---- and back

    public static TlaValue at(TlaValue function, String index) {
        return ((TlaValue.Fun) function).map().get(name(index));
    }

    public static TlaValue field(TlaValue record, String field) {
        return ((TlaValue.Fun) record).map().get(string(field));
    }

    /** TLC writes the function on nothing as an empty sequence. */
    public static List<String> domain(TlaValue function) {
        return function instanceof TlaValue.Tuple ? List.of() : ((TlaValue.Fun) function).map().keySet().stream().map(Values::text).toList();
    }

    public static Set<TlaValue> items(TlaValue set) {
        return ((TlaValue.SetOf) set).items();
    }

    /** An item that one set has and the other one has not; null if there is none. */
    public static TlaValue gained(TlaValue less, TlaValue more) {
        Set<TlaValue> had = items(less);
        return items(more).stream().filter(item -> !had.contains(item)).findFirst().orElse(null);
    }

    public static boolean has(TlaValue set, TlaValue item) {
        return items(set).contains(item);
    }

    public static String text(TlaValue value) {
        return value.brief();
    }

    public static long number(TlaValue value) {
        return Long.parseLong(text(value));
    }
}
