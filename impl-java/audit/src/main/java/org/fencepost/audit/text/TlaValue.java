package org.fencepost.audit.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A value as TLC prints it. {@link #toString} gives it back in TLA+, {@link #brief} as a reader of a trace wants it. */
public sealed interface TlaValue {

    /** Short form for people: strings without quotes, records without brackets that say nothing. */
    String brief();

    /** A number, a Boolean, a model value, or anything else that is compared as a whole. */
    record Atom(String text) implements TlaValue {
        @Override
        public String brief() {
            return text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A string; {@code text} is what stands between the quotes, escapes untouched. */
    record Str(String text) implements TlaValue {
        @Override
        public String brief() {
            return text;
        }

        @Override
        public String toString() {
            return '"' + text + '"';
        }
    }

    /** A sequence. */
    record Tuple(List<TlaValue> items) implements TlaValue {
        @Override
        public String brief() {
            return items.stream().map(TlaValue::brief).collect(Collectors.joining(", ", "<", ">"));
        }

        @Override
        public String toString() {
            return items.stream().map(TlaValue::toString).collect(Collectors.joining(", ", "<<", ">>"));
        }
    }

    /** A finite set; equal whatever the order of its items. */
    record SetOf(Set<TlaValue> items) implements TlaValue {
        @Override
        public String brief() {
            return items.stream().map(TlaValue::brief).collect(Collectors.joining(", ", "{", "}"));
        }

        @Override
        public String toString() {
            return items.stream().map(TlaValue::toString).collect(Collectors.joining(", ", "{", "}"));
        }
    }

    /** A function or a record, which is a function on strings and is printed as one. */
    record Fun(Map<TlaValue, TlaValue> map) implements TlaValue {
        private boolean isRecord() {
            return map.keySet().stream().allMatch(k -> k instanceof Str s && s.text.matches("[A-Za-z_]\\w*"));
        }

        @Override
        public String brief() {
            String between = isRecord() ? "=" : ":";
            return map.entrySet().stream().map(e -> e.getKey().brief() + between + e.getValue().brief())
                    .collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public String toString() {
            return isRecord()
                    ? map.entrySet().stream().map(e -> e.getKey().brief() + " |-> " + e.getValue()).collect(Collectors.joining(", ", "[", "]"))
                    : map.entrySet().stream().map(e -> e.getKey() + " :> " + e.getValue()).collect(Collectors.joining(" @@ ", "(", ")"));
        }
    }

    /**
     * Parses what TLC printed, line breaks included.
     *
     * @throws IllegalArgumentException where the text is no value
     */
    static TlaValue parse(String text) {
        Parser parser = new Parser(text);
        TlaValue value = parser.value();
        parser.blanks();
        if (parser.at < text.length()) {
            throw parser.unexpected();
        }
        return value;
    }

    /** Recursive descent; one character of lookahead is enough for what TLC prints. */
    final class Parser {
        private final String text;
        private int at;

        private Parser(String text) {
            this.text = text;
        }

        private TlaValue value() {
            blanks();
            if (take("<<")) {
                return new Tuple(List.copyOf(items(">>")));
            } else if (take("{")) {
                return new SetOf(new LinkedHashSet<>(items("}")));
            } else if (take("[")) {
                return fields();
            } else if (take("(")) {
                return function();
            } else if (take("\"")) {
                return string();
            }
            return atom();
        }

        private List<TlaValue> items(String close) {
            List<TlaValue> items = new ArrayList<>();
            if (next(close)) {
                return items;
            }
            do {
                items.add(value());
            } while (next(","));
            expect(close);
            return items;
        }

        private TlaValue fields() {
            Map<TlaValue, TlaValue> fields = new LinkedHashMap<>();
            if (next("]")) {
                return new Fun(fields);
            }
            do {
                blanks();
                Str name = new Str(word());
                expect("|->");
                fields.put(name, value());
            } while (next(","));
            expect("]");
            return new Fun(fields);
        }

        private TlaValue function() {
            Map<TlaValue, TlaValue> map = new LinkedHashMap<>();
            TlaValue first = value();
            if (next(")")) {
                return first;
            }
            expect(":>");
            map.put(first, value());
            while (next("@@")) {
                TlaValue key = value();
                expect(":>");
                map.put(key, value());
            }
            expect(")");
            return new Fun(map);
        }

        private TlaValue string() {
            int start = at;
            while (at < text.length() && text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            if (at >= text.length()) {
                throw new IllegalArgumentException("string without end in: " + text);
            }
            return new Str(text.substring(start, at++));
        }

        private TlaValue atom() {
            int start = at;
            if (at < text.length() && text.charAt(at) == '-') {
                at++;
            }
            String word = word();
            if (take("..")) { // TLC keeps an interval as one
                int to = Integer.parseInt((take("-") ? "-" : "") + word());
                int from = Integer.parseInt(text.substring(start, start + word.length() + (text.charAt(start) == '-' ? 1 : 0)));
                Set<TlaValue> items = new LinkedHashSet<>();
                for (int i = from; i <= to; i++) {
                    items.add(new Atom(Integer.toString(i)));
                }
                return new SetOf(items);
            }
            return new Atom(text.substring(start, at));
        }

        private String word() {
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                at++;
            }
            if (at == start) {
                throw unexpected();
            }
            return text.substring(start, at);
        }

        private void blanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private boolean take(String token) {
            boolean found = text.startsWith(token, at);
            at += found ? token.length() : 0;
            return found;
        }

        private boolean next(String token) {
            blanks();
            return take(token);
        }

        private void expect(String token) {
            if (!next(token)) {
                throw unexpected();
            }
        }

        private IllegalArgumentException unexpected() {
            return new IllegalArgumentException("not a TLA+ value at character " + at + ": " + text);
        }
    }
}
