package org.fencepost.clustertest.verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.fencepost.audit.text.Json;
import org.fencepost.protocol.trace.JsonText;

/**
 * Histories in files: one operation on a line, in EDN as Jepsen writes its history.edn, or in JSON as elle-cli and adya read it. In
 * EDN a text that can be a keyword is one, since Jepsen's types, functions and micro-operations are, and what tells an error is not; both are texts here.
 */
public final class HistoryFile {

    private static final String KEYWORD = "[a-zA-Z][a-zA-Z0-9_.*!?-]*";

    private HistoryFile() {
    }

    public static void writeEdn(Path file, List<Op> history) throws IOException {
        Files.write(file, history.stream().map(op -> edn(fields(op))).toList());
    }

    public static void writeJson(Path file, List<Op> history) throws IOException {
        Files.write(file, history.stream().map(op -> Json.line(fields(op))).toList());
    }

    /**
     * Reads either. Lines that Jepsen leaves out, times and indices, are made up.
     *
     * @throws IllegalArgumentException with a sentence, for a file that is no history
     */
    public static List<Op> read(Path file) throws IOException {
        String text = Files.readString(file);
        List<Op> history = new ArrayList<>();
        if (text.stripLeading().startsWith("{\"")) {
            for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
                history.add(op(Json.read(line), history.size()));
            }
            return history;
        }
        Edn edn = new Edn(text);
        for (Object next = edn.next(); next != Edn.END; next = edn.next()) {
            for (Object each : next instanceof List<?> all ? all : List.of(next)) {
                history.add(op(each, history.size()));
            }
        }
        return history;
    }

    private static Op op(Object value, int position) {
        if (!(value instanceof Map<?, ?> map) || map.get("type") == null || map.get("process") == null || map.get("f") == null) {
            throw new IllegalArgumentException("Operation " + position + " of the history is no map with type, process and f.");
        }
        Map<String, Object> more = new LinkedHashMap<>();
        map.forEach((key, field) -> more.put(key.toString(), field));
        Object index = more.remove("index");
        Object time = more.remove("time");
        try {
            return new Op(index instanceof Long number ? number : position, time instanceof Long nanos ? nanos : position,
                    Op.Type.valueOf(more.remove("type").toString()), more.remove("process"), more.remove("f").toString(), more.remove("value"), more);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Operation " + position + " of the history has type " + map.get("type") + ", which is none.", e);
        }
    }

    private static Map<String, Object> fields(Op op) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("index", op.index());
        fields.put("time", op.time());
        fields.put("type", op.type().name());
        fields.put("process", op.process());
        fields.put("f", op.f());
        fields.put("value", op.value());
        fields.putAll(op.more());
        return fields;
    }

    public static String edn(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringJoiner fields = new StringJoiner(", ", "{", "}");
            map.forEach((key, field) -> fields.add(edn(key) + " " + (key.equals(Op.ERROR) && field instanceof String text ? JsonText.quote(text) : edn(field))));
            return fields.toString();
        } else if (value instanceof List<?> list) {
            StringJoiner items = new StringJoiner(" ", "[", "]");
            list.forEach(item -> items.add(edn(item)));
            return items.toString();
        } else if (value instanceof String text) {
            return text.matches(KEYWORD) ? ":" + text : JsonText.quote(text);
        }
        return value == null ? "nil" : value.toString();
    }
}
