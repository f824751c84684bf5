package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads EDN, as much of it as histories have: nil, Booleans, numbers, texts, keywords and symbols (as texts), and collections.
 * Tags are left out: {@code #jepsen.history.Op{...}} is a map.
 */
final class Edn {

    /** In place of a value, behind the last one. */
    static final Object END = new Object();

    private static final String CLOSING = ")]}";
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    Edn(String text) {
        this.text = text;
    }

    /** The next value. Throws IllegalArgumentException where the text is no EDN. */
    Object next() {
        skip();
        if (at == text.length()) {
            return END;
        }
        char c = text.charAt(at);
        switch (c) {
            case '[', '(':
                at++;
                return list(c == '[' ? ']' : ')');
            case '{':
                at++;
                return map();
            case '"':
                return string();
            case '#':
                return tagged();
            default:
                return atom();
        }
    }

    private void skip() {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',' || text.charAt(at) == ';')) {
            if (text.charAt(at) == ';') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() - 1 : end;
            }
            at++;
        }
    }

    private List<Object> list(char closing) {
        List<Object> items = new ArrayList<>();
        if (++depth > DEEPEST) {
            throw unexpected("collections in more than " + DEEPEST + " others");
        }
        for (skip(); at < text.length() && text.charAt(at) != closing; skip()) {
            items.add(next());
        }
        if (at++ >= text.length()) {
            throw unexpected("a collection without end");
        }
        depth--;
        return items;
    }

    private Map<Object, Object> map() {
        List<Object> items = list('}');
        if (items.size() % 2 != 0) {
            throw unexpected("a map with a key without value");
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i += 2) {
            map.put(items.get(i), items.get(i + 1));
        }
        return map;
    }

    private Object tagged() {
        at++;
        if (at < text.length() && text.charAt(at) == '{') {
            at++;
            return list('}'); // a set
        }
        atom();
        return next();
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\\' && ++at < text.length()) {
                c = escaped(text.charAt(at));
            }
            out.append(c);
        }
        if (at++ >= text.length()) {
            throw unexpected("a text without end");
        }
        return out.toString();
    }

    private char escaped(char c) {
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            default:
                return c;
        }
    }

    private Object atom() {
        int from = at;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at)) && ",\"{[(".indexOf(text.charAt(at)) < 0
                && CLOSING.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        if (word.isEmpty()) {
            throw unexpected("'" + text.charAt(at) + "'");
        }
        if (word.matches("[+-]?[0-9]+[NM]?")) {
            return number(word.replaceAll("[+NM]", ""));
        } else if (word.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?M?")) {
            return Double.parseDouble(word.replace("M", ""));
        }
        return switch (word) {
            case "nil" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> word.startsWith(":") ? word.substring(1) : word;
        };
    }

    private long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw unexpected("a number of more than 64 bits");
        }
    }

    private IllegalArgumentException unexpected(String what) {
        return new IllegalArgumentException("This is no EDN: " + what + " at character " + at + ".");
    }
}
