package org.fencepost.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Writes a trace as NDJSON: one object per event, {@code {"action":"Begin","txn":5}}, and at the end
 * {@code {"end":true,"events":n}}. A trace without that last line, or with another number of lines, is incomplete.
 * Thread-safe; lines of different threads stand in the order in which the threads got here.
 */
public final class NdjsonTracer implements Tracer {

    private final Writer out;
    private long events;

    /** @param out closed together with this tracer; its errors surface as UncheckedIOException */
    public NdjsonTracer(Writer out) {
        this.out = out;
    }

    @Override
    public boolean on() {
        return true;
    }

    @Override
    public synchronized void event(Action action, Object... arguments) {
        StringBuilder line = new StringBuilder(96).append("{\"action\":\"").append(action).append('"');
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            line.append(",\"").append(arguments[i]).append("\":");
            appendValue(line, arguments[i + 1]);
        }
        write(line.append("}\n"));
        events++;
    }

    @Override
    public synchronized void close() {
        write(new StringBuilder("{\"end\":true,\"events\":").append(events).append("}\n"));
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(StringBuilder line) {
        try {
            out.append(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void appendValue(StringBuilder line, Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            line.append(value);
            return;
        }
        line.append('"');
        String text = String.valueOf(value);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}
