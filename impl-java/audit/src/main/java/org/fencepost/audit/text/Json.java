package org.fencepost.audit.text;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Writes records, maps, lists, strings, numbers, Booleans and null as JSON, and reads JSON back into maps and lists. */
public final class Json {
    private Json() {}

    /** The text, indented. */
    public static String write(Object value) {
        return write(value, "\n");
    }

    private static String write(Object value, String newline) {
        String deeper = newline + "  ";
        if (value instanceof Map<?, ?> map) {
            StringJoiner fields = new StringJoiner("," + deeper, "{" + deeper, newline + "}").setEmptyValue("{}");
            map.forEach((k, v) -> fields.add(quote(k.toString()) + ": " + write(v, deeper)));
            return fields.toString();
        } else if (value instanceof List<?> list) {
            StringJoiner items = new StringJoiner("," + deeper, "[" + deeper, newline + "]").setEmptyValue("[]");
            list.forEach(v -> items.add(write(v, deeper)));
            return items.toString();
        } else if (value instanceof Record fields) {
            return write(fields(fields), newline);
        }
        return value == null || value instanceof Number || value instanceof Boolean ? String.valueOf(value) : quote(value.toString());
    }

    private static Map<String, Object> fields(Record value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        try {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                fields.put(component.getName(), component.getAccessor().invoke(value));
            }
            return fields;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /**
     * Reads a value: objects as maps in their order, arrays as lists, numbers as Long or Double.
     *
     * @throws IllegalArgumentException where the text is no JSON
     */
    public static Object read(String text) {
        Reader reader = new Reader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.unexpected();
        }
        return value;
    }

    private static final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        /** The next character that is no blank; 0 at the end. */
        private char peek() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private Object value() {
            return switch (peek()) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                default -> literal();
            };
        }

        private Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            for (boolean more = opened('}'); more; more = goesOn('}')) {
                if (peek() != '"') {
                    throw unexpected();
                }
                String name = string();
                expect(':');
                object.put(name, value());
            }
            return object;
        }

        private List<Object> array() {
            List<Object> array = new ArrayList<>();
            for (boolean more = opened(']'); more; more = goesOn(']')) {
                array.add(value());
            }
            return array;
        }

        /** Takes the opening bracket; false if the closing one follows, which is taken too. */
        private boolean opened(char close) {
            at++;
            boolean empty = peek() == close;
            at += empty ? 1 : 0;
            return !empty;
        }

        private boolean goesOn(char close) {
            char c = peek();
            if (c != ',' && c != close) {
                throw unexpected();
            }
            at++;
            return c == ',';
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw unexpected();
            }
            at++;
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\' && at + 1 < text.length()) {
                    c = text.charAt(++at);
                    int letter = "bfnrt".indexOf(c);
                    if (c == 'u' && at + 4 < text.length()) {
                        out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                        at += 4;
                        continue;
                    }
                    c = letter < 0 ? c : "\b\f\n\r\t".charAt(letter);
                }
                out.append(c);
            }
            expect('"');
            return out.toString();
        }

        private Object literal() {
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
                at++;
            }
            String word = text.substring(start, at);
            switch (word) {
                case "true", "false":
                    return Boolean.valueOf(word);
                case "null":
                    return null;
                default:
                    if (!word.matches("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?")) {
                        throw unexpected();
                    }
                    return word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
            }
        }

        private IllegalArgumentException unexpected() {
            return new IllegalArgumentException("not JSON at character " + at);
        }
    }
}
