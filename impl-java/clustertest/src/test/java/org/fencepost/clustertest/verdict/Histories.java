package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Histories by hand: each operation's invocation and completion follow each other unless they are added one by one. */
public final class Histories {

    private final List<Op> history = new ArrayList<>();

    public Histories op(Op.Type type, long process, Object asked, Object done, Object... more) {
        return line(Op.Type.invoke, process, asked).line(type, process, done, more);
    }

    public Histories line(Op.Type type, Object process, Object value, Object... more) {
        return line("txn", type, process, value, more);
    }

    public Histories line(String f, Op.Type type, Object process, Object value, Object... more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < more.length; i += 2) {
            fields.put((String) more[i], more[i + 1]);
        }
        history.add(new Op(history.size(), 1_000L * history.size(), type, process, f, value, fields));
        return this;
    }

    public List<Op> all() {
        return history;
    }

    public static List<List<Object>> txn(Object... micro) {
        List<List<Object>> all = new ArrayList<>();
        for (int i = 0; i < micro.length; i += 3) {
            List<Object> each = new ArrayList<>(List.of(micro[i], number(micro[i + 1])));
            each.add(number(micro[i + 2]));
            all.add(each);
        }
        return all;
    }

    public static List<Object> list(Object... values) {
        List<Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(number(value));
        }
        return list;
    }

    private static Object number(Object value) {
        return value instanceof Integer small ? (Object) small.longValue() : value;
    }
}
