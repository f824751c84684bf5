package org.fencepost.audit;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A trace as the protocol's NdjsonTracer writes it: a header, one flat JSON object per event, and an end marker that carries the number of
 * events. Every event is held against the table of what its action must tell, so that the trace spec finds each field that it looks at.
 *
 * <p>What is wrong with a trace is found here or by TLC, and never skipped: {@link #flaw} for a trace that cannot be one of a whole run,
 * {@link #unsupported} for one that the spec does not speak about.
 */
final class RecordedTrace {
  static final String PROTOCOL = "OmidLL";
  static final long FORMAT = 1;

  /** TLC's integers have 32 bits. */
  private static final long LARGEST = Integer.MAX_VALUE / 2;

  /** The fields of each action's event: whole numbers, except key (text), delete, gone and lost (flags). */
  private static final Map<String, String> FIELDS = Map.ofEntries(
      Map.entry("Begin", "txn"),
      Map.entry("EndReadOnly", "txn"),
      Map.entry("Write", "txn key delete"),
      Map.entry("Rollback", "txn"),
      Map.entry("CleanUp", "txn key"),
      Map.entry("ReadOwnWrite", "txn key"),
      Map.entry("GetRecord", "txn key met commit"),
      Map.entry("GetCommitEntry", "txn met entry"),
      Map.entry("HealCommitCell", "txn key met commit"),
      Map.entry("InvalidatePending", "txn met previous"),
      Map.entry("ReReadRecord", "txn key met gone commit"),
      Map.entry("RemoveFalseInvalidation", "txn met"),
      Map.entry("RequestCommit", "txn answer"),
      Map.entry("LoseCommitAnswer", "txn"),
      Map.entry("WriteCommitEntry", "txn commit previous"),
      Map.entry("PostCommit", "txn key commit"),
      Map.entry("RemoveCommitEntry", "txn"),
      Map.entry("Evict", "commit"),
      Map.entry("RaiseWatermark", "watermark"),
      Map.entry("HealLeftover", "key met commit"),
      Map.entry("InspectLeftover", "key met entry gone commit"),
      Map.entry("CleanLeftover", "key met"),
      Map.entry("CollectEntry", "met"),
      Map.entry("CollectVersion", "key met"),
      Map.entry("CollectTombstone", "key met"));
  private static final Set<String> FLAGS = Set.of("delete", "gone", "lost");
  private static final Set<String> TAKE_AWAY = Set.of("CleanUp", "CleanLeftover", "CollectVersion", "CollectTombstone");

  private static final String STRING = "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*\"";
  private static final Pattern FIELD = Pattern.compile("(" + STRING + "):(" + STRING + "|-?\\d{1,18}|true|false)");
  private static final Pattern OBJECT = Pattern.compile("\\{(?:" + FIELD + "(?:," + FIELD + ")*)?\\}");

  private final List<Map<String, Object>> events = new ArrayList<>();
  private final Map<Long, Integer> lastEvent = new HashMap<>();
  private final List<String> lines;
  /** Unless the header says that there were no faults. */
  private boolean faulty;
  private String flaw;
  private String unsupported;

  private RecordedTrace(List<String> lines) {
    this.lines = lines;
  }

  /** @throws AuditException where the file cannot be read */
  static RecordedTrace read(Path file) {
    try {
      RecordedTrace trace = new RecordedTrace(Files.readAllLines(file));
      trace.parse();
      trace.lookAhead();
      return trace;
    } catch (MalformedInputException e) {
      throw new AuditException("'" + file + "' is not a trace: it is not UTF-8 text.");
    } catch (IOException e) {
      throw new AuditException("Cannot read the trace '" + file + "': give a file that an NdjsonTracer has written.");
    }
  }

  /** The actions that a trace may have. */
  static Set<String> actions() {
    return new TreeSet<>(FIELDS.keySet());
  }

  /** Events up to the first flaw, each with action, txn, key, met, lost, gone, again and faulty, and the fields of its action. */
  List<Map<String, Object>> events() {
    return events;
  }

  /** The line of an event, counted from 0, as it stands in the file. */
  String line(int event) {
    return lines.get(event + 1);
  }

  /** Why this cannot be the trace of a whole run, or null. */
  String flaw() {
    return flaw;
  }

  /** What the spec does not know, or null. */
  String unsupported() {
    return unsupported;
  }

  /** The transactions that begin in it. */
  Set<Long> begun() {
    Set<Long> begun = new TreeSet<>();
    events.stream().filter(e -> e.get("action").equals("Begin")).forEach(e -> begun.add((Long) e.get("txn")));
    return begun;
  }

  Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    events.forEach(e -> keys.add((String) e.get("key")));
    keys.remove("");
    return keys;
  }

  /** Number of the last event that a transaction's client logged, counted from 0; -1 if there is none. */
  int lastEventOf(long txn) {
    return lastEvent.getOrDefault(txn, -1);
  }

  /** Whether an event after the first so many meets the transaction's record of the key. */
  boolean meetsAfter(int first, long txn, String key) {
    return events.stream().skip(first).anyMatch(e -> e.get("met").equals(txn) && e.get("key").equals(key) && e.get("gone").equals(false));
  }

  /** Whether such an event stands after the first so many. */
  boolean logsAfter(int first, String action, long txn, String key) {
    return events.stream().skip(first)
        .anyMatch(e -> e.get("action").equals(action) && e.get("txn").equals(txn) && e.get("key").equals(key));
  }

  private void parse() {
    Map<String, Object> header = lines.isEmpty() ? null : object(lines.get(0));
    if (header == null || !header.containsKey("protocol")) {
      flaw = "The first line is not the header of a trace.";
      return;
    }
    if (!PROTOCOL.equals(header.get("protocol")) || !Long.valueOf(FORMAT).equals(header.get("format"))) {
      unsupported = "The trace is of protocol " + header.get("protocol") + " in format " + header.get("format")
          + ", and there is a trace spec for " + PROTOCOL + " in format " + FORMAT + " only.";
      return;
    }
    faulty = !Boolean.FALSE.equals(header.get("faults"));
    for (int i = 1; i < lines.size(); i++) {
      Map<String, Object> object = object(lines.get(i));
      if (object == null) {
        flaw = "Line " + (i + 1) + " is no event: " + lines.get(i);
      } else if (object.containsKey("end")) {
        end(i, object);
        return;
      } else {
        event(i, object);
      }
      if (flaw != null || unsupported != null) {
        return;
      }
    }
    flaw = "The trace is truncated: it has no end marker after line " + lines.size() + ".";
  }

  private void end(int i, Map<String, Object> marker) {
    if (i + 1 < lines.size()) {
      flaw = "The trace goes on after its end marker in line " + (i + 1) + ".";
    } else if (!marker.equals(Map.of("end", true, "events", (long) events.size()))) {
      flaw = "The end marker tells of " + marker.get("events") + " events, and there are " + events.size() + ".";
    }
  }

  private void event(int i, Map<String, Object> event) {
    String where = "Line " + (i + 1) + ": ";
    if (!(event.get("action") instanceof String action) || !FIELDS.containsKey(action)) {
      unsupported = where + "the spec has no action " + event.get("action") + ".";
      return;
    }
    Set<String> expected = new TreeSet<>(List.of(FIELDS.get(action).split(" ")));
    boolean lost = Boolean.TRUE.equals(event.get("lost")) && (action.equals("Write") || action.equals("WriteCommitEntry"));
    if (lost) {
      expected.remove("previous");
      expected.add("lost");
    }
    expected.add("action");
    if (!expected.equals(event.keySet())) {
      flaw = where + "an event of " + action + " has the fields " + expected + ", and this one has " + new TreeSet<>(event.keySet()) + ".";
      return;
    }
    for (Map.Entry<String, Object> field : event.entrySet()) {
      Object value = field.getValue();
      boolean text = field.getKey().equals("key") || field.getKey().equals("action");
      boolean flag = FLAGS.contains(field.getKey());
      if (text ? !(value instanceof String s) || s.isEmpty() : flag ? !(value instanceof Boolean) : !(value instanceof Long)) {
        flaw = where + "the field " + field.getKey() + " cannot be " + value + ".";
        return;
      }
      if (value instanceof Long number && Math.abs(number) > LARGEST) {
        unsupported = where + "the model checker does not count as far as " + number + ".";
        return;
      }
    }
    event.putIfAbsent("txn", 0L);
    event.putIfAbsent("met", 0L);
    event.putIfAbsent("key", "");
    event.putIfAbsent("lost", false);
    event.putIfAbsent("gone", false);
    event.put("faulty", faulty);
    events.add(event);
  }

  /** Marks a write whose record shows up again after it was removed: a second copy of the put must have been under way. */
  private void lookAhead() {
    for (int i = 0; i < events.size(); i++) {
      Map<String, Object> write = events.get(i);
      lastEvent.put((Long) write.get("txn"), i);
      write.put("again", write.get("action").equals("Write") && showsUpAgain(i, write.get("key"), write.get("txn")));
    }
  }

  private boolean showsUpAgain(int from, Object key, Object writer) {
    boolean removed = false;
    for (Map<String, Object> e : events.subList(from + 1, events.size())) {
      boolean about = e.get("key").equals(key) && (e.get("met").equals(writer) || e.get("action").equals("CleanUp") && e.get("txn").equals(writer));
      boolean takenAway = TAKE_AWAY.contains((String) e.get("action"));
      if (about && removed && !takenAway && e.get("gone").equals(false)) {
        return true;
      }
      removed |= about && takenAway;
    }
    return false;
  }

  /** A flat JSON object; null if the text is none, or names a field twice. */
  private static Map<String, Object> object(String text) {
    if (!OBJECT.matcher(text).matches()) {
      return null;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    Matcher field = FIELD.matcher(text);
    while (field.find()) {
      if (object.put(unquote(field.group(1)), value(field.group(2))) != null) {
        return null;
      }
    }
    return object;
  }

  private static Object value(String text) {
    return text.startsWith("\"") ? unquote(text) : text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text)
        : (Object) Long.valueOf(text);
  }

  private static String unquote(String quoted) {
    String text = quoted.substring(1, quoted.length() - 1);
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = text.charAt(++i);
      int letter = "bfnrt".indexOf(c);
      if (c == 'u') {
        out.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        out.append(letter < 0 ? c : "\b\f\n\r\t".charAt(letter));
      }
    }
    return out.toString();
  }
}
