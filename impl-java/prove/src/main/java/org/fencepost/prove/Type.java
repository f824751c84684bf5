package org.fencepost.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The type of a variable or constant, as its annotation {@code @type:} gives it. */
sealed interface Type {
    /** {@code Int}, {@code Bool}, {@code Str}, or a sort of its own, such as {@code TXN}. */
    record Basic(String name) implements Type {
    }

    record Fun(Type from, Type to) implements Type {
    }

    record SetOf(Type item) implements Type {
    }

    record Rec(SortedMap<String, Type> fields) implements Type {
    }

    record Tup(List<Type> items) implements Type {
    }

    /**
     * @param aliases what {@code $name} stands for, by name
     * @throws IllegalArgumentException where the text is no such type
     */
    static Type parse(String text, Map<String, String> aliases) {
        Parser parser = new Parser(text, aliases);
        Type type = parser.type();
        if (parser.at < text.length() && !parser.next("")) {
            throw parser.unexpected();
        }
        return type;
    }

    final class Parser {
        private final String text;
        private final Map<String, String> aliases;
        private int at;

        private Parser(String text, Map<String, String> aliases) {
            this.text = text.strip();
            this.aliases = aliases;
        }

        private Type type() {
            Type first = one();
            return next("->") ? new Fun(first, type()) : first;
        }

        private Type one() {
            if (next("(")) {
                Type type = type();
                expect(")");
                return type;
            } else if (next("<<")) {
                List<Type> items = new ArrayList<>();
                do {
                    items.add(type());
                } while (next(","));
                expect(">>");
                return new Tup(items);
            } else if (next("{")) {
                SortedMap<String, Type> fields = new TreeMap<>();
                do {
                    String name = word();
                    expect(":");
                    fields.put(name, type());
                } while (next(","));
                expect("}");
                return new Rec(fields);
            } else if (next("$")) {
                String meant = aliases.get(word());
                if (meant == null) {
                    throw unexpected();
                }
                return parse(meant, Map.of());
            }
            String name = word();
            if (!name.equals("Set")) {
                return new Basic(name);
            }
            expect("(");
            Type item = type();
            expect(")");
            return new SetOf(item);
        }

        private String word() {
            next("");
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                at++;
            }
            if (at == start) {
                throw unexpected();
            }
            return text.substring(start, at);
        }

        private boolean next(String token) {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            boolean found = text.startsWith(token, at);
            at += found ? token.length() : 0;
            return found && (!token.isEmpty() || at == text.length());
        }

        private void expect(String token) {
            if (!next(token)) {
                throw unexpected();
            }
        }

        private IllegalArgumentException unexpected() {
            return new IllegalArgumentException("'" + text + "' is no type that can be translated, from character " + (at + 1) + " on");
        }
    }
}
