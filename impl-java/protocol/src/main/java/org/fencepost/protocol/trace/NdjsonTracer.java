package org.fencepost.protocol.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Writes a trace as NDJSON: a header, {@code {"protocol":"OmidLL","format":1}}, one object per event,
 * {@code {"action":"Begin","txn":5}}, and at the end {@code {"end":true,"events":n}}. Before that, whoever has run it all may
 * give an account of how it ended. A trace without the last line, or with another number of lines, is incomplete. Thread-safe; lines of different threads stand in the order in which the
 * threads got here, so that the trace can be checked against the specification only if no other thread comes between a
 * server's answer and its event.
 */
public final class NdjsonTracer implements Tracer {

    /** Changes where a trace of the one before could be misread. One that merely lacks a field is refused for that. */
    private static final int FORMAT = 1;

    private final Writer out;
    private long events;

    /**
     * @param out        closed together with this tracer; its errors surface as UncheckedIOException
     * @param parameters of the run, names and values in turn, for people who read the trace
     */
    public NdjsonTracer(Writer out, Object... parameters) {
        this("OmidLL", out, parameters);
    }

    /** @param protocol the specification that the trace is to be checked against */
    public NdjsonTracer(String protocol, Writer out, Object... parameters) {
        this.out = out;
        StringBuilder line = new StringBuilder("{\"protocol\":\"").append(protocol).append("\",\"format\":").append(FORMAT);
        appendFields(line, parameters);
        write(line.append("}\n"));
    }

    @Override
    public synchronized void event(Action action, Object... arguments) {
        line("action", action.name(), arguments);
    }

    /** Records that a server carried out what it was sent: an action of a specification's environment. */
    public synchronized void server(String action, Object... arguments) {
        line("action", action, arguments);
    }

    /**
     * Adds to the account of how the run ended; after all events. It must be true of every transaction that began:
     * {@code OmidLLTransaction} (met, told: committed, aborted or unknown, reads: how many different ones, entry: in the commit
     * table), {@code Read} (met: who read, key, from: whose value, 0 for none) of others' values, and {@code Record} (met,
     * key, gone, commit, delete) of each key that it wrote or may have written.
     *
     * @param arguments names and values in turn
     */
    public synchronized void account(String about, Object... arguments) {
        line("account", about, arguments);
    }

    private void line(String kind, String name, Object... arguments) {
        StringBuilder line = new StringBuilder(96).append("{\"").append(kind).append("\":\"").append(name).append('"');
        appendFields(line, arguments);
        events++; // before it is written: one that cannot be is missed at the end
        write(line.append("}\n"));
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

    private static void appendFields(StringBuilder line, Object... namesAndValues) {
        for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
            line.append(",\"").append(namesAndValues[i]).append("\":");
            appendValue(line, namesAndValues[i + 1]);
        }
    }

    private static void appendValue(StringBuilder line, Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            line.append(value);
            return;
        }
        JsonText.appendQuoted(line, String.valueOf(value));
    }
}
