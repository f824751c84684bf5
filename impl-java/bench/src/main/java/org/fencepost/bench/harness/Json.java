package org.fencepost.bench.harness;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import org.fencepost.protocol.trace.JsonText;

/** Writes JSON: each object on one line, each element of an array on a line of its own, so that results are compared by lines. */
public final class Json {

    private Json() {
    }

    /** Of strings, numbers and booleans; NaN is null. */
    public static String object(Object... namesAndValues) {
        StringJoiner fields = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            String text = value instanceof Double number ? (Double.isNaN(number) ? "null" : plain(number))
                    : value instanceof String string ? JsonText.quote(string) : value.toString();
            fields.add("\"" + namesAndValues[i] + "\": " + text);
        }
        return fields.toString();
    }

    /** As a field of the outermost object. */
    public static <T> String array(List<T> elements, Function<T, String> object) {
        StringJoiner array = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
        elements.forEach(element -> array.add(object.apply(element)));
        return array.toString();
    }

    /** For CSV too; empty for NaN. */
    public static String plain(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
