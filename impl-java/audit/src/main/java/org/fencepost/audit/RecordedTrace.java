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
 * A trace as the protocol's NdjsonTracer writes it: a header, one flat JSON object per event, perhaps an account of how the run ended, and
 * an end marker that carries the number of lines between. Every event, and every line of the account, is held against the table of what its action must tell, so that the trace spec finds each field that it looks at.
 *
 * <p>What is wrong with a trace is found here or by TLC, and never skipped: {@link #flaw} for a trace that cannot be one of a whole run,
 * {@link #unsupported} for one that the spec does not speak about.
 */
final class RecordedTrace {
  static final String PROTOCOL = "OmidLL";
  static final long FORMAT = 1;

  private static final Long CONFLICT = -11L;
  private static final Long INVALIDATED = -1L;

  /** TLC's integers have 32 bits. */
  private static final long LARGEST = Integer.MAX_VALUE / 2;

  /** The fields of each action's event: whole numbers, except key and told (text), delete, gone and lost (flags). */
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
  private static final Map<String, String> ACCOUNT = Map.of("Transaction", "met told reads entry", "Read", "met key from",
      "Record", "met key gone commit delete");
  private static final Set<String> TEXTS = Set.of("action", "account", "key", "told");
  private static final Set<String> FLAGS = Set.of("delete", "gone", "lost");
  /** What the spec's client may not do below the watermark, and the code's does until it notices that its time is up. */
  private static final Set<String> REST_OF_READ = Set.of("GetCommitEntry", "HealCommitCell", "InvalidatePending", "ReReadRecord",
      "RemoveFalseInvalidation", "EndReadOnly");
  private static final Set<String> TAKE_AWAY = Set.of("CleanUp", "CleanLeftover", "CollectVersion", "CollectTombstone");

  private static final String STRING = "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*\"";
  private static final Pattern FIELD = Pattern.compile("(" + STRING + "):(" + STRING + "|-?\\d{1,18}|true|false)");
  private static final Pattern OBJECT = Pattern.compile("\\{(?:" + FIELD + "(?:," + FIELD + ")*)?\\}");

  private final List<Map<String, Object>> events = new ArrayList<>();
  /** The last event that tells something, by what it tells. */
  private final Map<List<Object>, Integer> last = new HashMap<>();
  private final Map<Object, List<Integer>> eventsOf = new HashMap<>();
  private final Map<Object, Set<Object>> keysOf = new HashMap<>();
  /** The last commit timestamp that each transaction was given. */
  private final Map<Object, Object> given = new HashMap<>();
  /** The highest watermark so far. */
  private long raised;
  private int account = -1;
  private final List<String> lines;
  /** Unless the header says that there were no faults. */
  private boolean faulty;
  /** Unless the header says that there was one collector, and no faults. */
  private boolean others;
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

  /**
   * Events up to the first flaw, each with action, txn, key, met, lost, gone, again, given (commit timestamp), faulty and others, and the fields of its
   * action; then the lines of the account, each as an event whose action is what it is about.
   */
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

  /**
   * Whether the trace, after its first so many events, tells such a thing about a transaction and a key. What: an action, of the
   * transaction's client or of a collector about it; {@code any}, an event of its client; {@code met}, its record is there;
   * {@code commit}, it has committed; {@code marker}, it has a marker; {@code collected}, its entry is; {@code tombstone}, its record is
   * one, whenever it tells that; {@code heals}, its client's next event is to heal; {@code conflict}, another one that has begun by then and
   * wrote one of its keys is refused.
   */
  boolean tells(int first, String what, long txn, String key) {
    return switch (what) {
      case "tombstone" -> last.containsKey(List.of(what, txn, key));
      case "heals" -> eventsOf.getOrDefault(txn, List.of()).stream().filter(i -> i >= first).findFirst()
          .map(i -> events.get(i).get("action").equals("HealCommitCell")).orElse(false);
      case "conflict" -> isConflictAfter(first, txn);
      default -> last.getOrDefault(List.of(what, txn, key), -1) >= first;
    };
  }

  private boolean isConflictAfter(int first, long txn) {
    Set<Object> keys = keysOf.getOrDefault(txn, Set.of());
    for (int i : eventsOf.getOrDefault("conflicts", List.of())) {
      Object refused = events.get(i).get("txn");
      if (i >= first && !refused.equals(txn) && eventsOf.get(refused).get(0) < first
          && keysOf.getOrDefault(refused, Set.of()).stream().anyMatch(keys::contains)) {
        return true;
      }
    }
    return false;
  }

  /** Why an event that does not fit is one that the spec does not speak about; null if it is not. */
  String unsupported(int event) {
    Map<String, Object> e = events.get(event);
    if (REST_OF_READ.contains(e.get("action")) && events.stream().limit(event)
        .anyMatch(raise -> raise.get("action").equals("RaiseWatermark") && (Long) raise.get("watermark") > (Long) e.get("txn"))) {
      return "goes on with a read whose time was up when the watermark was raised; the spec's has ended";
    }
    Object writer = e.get(e.get("action").equals("Write") ? "txn" : "met");
    return e.get("gone").equals(false) && wasTakenAway(event, e.get("key"), writer)
        ? "is about a record that was removed; the spec knows two copies of a put, and the second of them only in time" : null;
  }

  private boolean wasTakenAway(int before, Object key, Object writer) {
    return faulty && events.stream().limit(before).anyMatch(e -> e.get("key").equals(key) && TAKE_AWAY.contains((String) e.get("action"))
        && e.get(e.get("action").equals("CleanUp") ? "txn" : "met").equals(writer));
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
    others = faulty || !Long.valueOf(1).equals(header.get("collectors"));
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
    boolean accounts = event.get("account") instanceof String about && ACCOUNT.containsKey(about);
    if (!accounts && !(event.get("action") instanceof String action && FIELDS.containsKey(action))) {
      unsupported = where + "the spec has no action " + event.get("action") + ".";
      return;
    }
    String name = (String) event.get(accounts ? "account" : "action");
    Set<String> expected = new TreeSet<>(List.of((accounts ? ACCOUNT : FIELDS).get(name).split(" ")));
    boolean lost = Boolean.TRUE.equals(event.get("lost")) && (name.equals("Write") || name.equals("WriteCommitEntry"));
    if (lost) {
      expected.remove("previous");
      expected.add("lost");
    }
    expected.add(accounts ? "account" : "action");
    if (!expected.equals(event.keySet())) {
      flaw = where + "an event of " + name + " has the fields " + expected + ", and this one has " + new TreeSet<>(event.keySet()) + ".";
      return;
    }
    if (accounts && account < 0) {
      account = events.size();
    } else if (!accounts && account >= 0) {
      flaw = where + "an event stands after the account of how the run ended.";
      return;
    }
    for (Map.Entry<String, Object> field : event.entrySet()) {
      if (!canBe(name, field.getKey(), field.getValue())) {
        flaw = where + "the field " + field.getKey() + " cannot be " + field.getValue() + ".";
        return;
      }
      if (field.getValue() instanceof Long number && Math.abs(number) > LARGEST) {
        unsupported = where + "the model checker does not count as far as " + number + ".";
        return;
      }
    }
    event.put("action", name);
    event.putIfAbsent("txn", 0L);
    event.putIfAbsent("met", 0L);
    event.putIfAbsent("key", "");
    event.putIfAbsent("lost", false);
    event.putIfAbsent("gone", false);
    event.put("faulty", faulty);
    event.put("others", others);
    events.add(event);
  }

  /** A transaction is none of the numbers that stand for none, except where a reader met nothing. */
  private static boolean canBe(String action, String field, Object value) {
    if (TEXTS.contains(field)) {
      return value instanceof String text && !text.isEmpty();
    }
    return FLAGS.contains(field) ? value instanceof Boolean
        : value instanceof Long number && (number > 0 || !field.equals("txn") && !field.equals("watermark") && !(field.equals("met") && !action.equals("GetRecord")));
  }

  /** Notes what events tell, and marks writes whose record shows up again after it was removed: another copy of the put came later. */
  private void lookAhead() {
    for (int i = 0; i < events.size(); i++) {
      Map<String, Object> e = events.get(i);
      String action = (String) e.get("action");
      Object txn = e.get("txn");
      Object met = e.get("met");
      Object key = e.get("key");
      e.put("again", action.equals("Write") && showsUpAgain(i, key, txn));
      last.put(List.of(action, txn, key), i);
      last.put(List.of("any", txn, ""), i);
      eventsOf.computeIfAbsent(txn, t -> new ArrayList<>()).add(i);
      if (action.equals("RequestCommit")) {
        given.put(txn, e.get("answer"));
      }
      e.put("given", given.getOrDefault(txn, 0L));
      if (action.equals("RaiseWatermark")) {
        e.put("raised", raised);
        raised = Math.max(raised, (Long) e.get("watermark"));
      }
      if (action.equals("RequestCommit") && e.get("answer").equals(CONFLICT)) {
        eventsOf.computeIfAbsent("conflicts", t -> new ArrayList<>()).add(i);
      }
      if (e.get("gone").equals(false)) {
        last.put(List.of("met", met, key), i);
      }
      if (action.equals("Write") || e.get("gone").equals(false) && !key.equals("")) {
        keysOf.computeIfAbsent(action.equals("Write") ? txn : met, t -> new TreeSet<>()).add(key);
      }
      if (action.equals("CollectTombstone") || Boolean.TRUE.equals(e.get("delete"))) {
        last.put(List.of("tombstone", action.equals("Write") ? txn : met, key), i);
      }
      lookAheadToEntries(i, e, action.equals("WriteCommitEntry") ? txn : met);
    }
    if (account >= 0 && flaw == null && unsupported == null) {
      begun().stream().filter(t -> !last.containsKey(List.of("account", t))).findFirst()
          .ifPresent(t -> flaw = "The account of how the run ended leaves out transaction " + t + ".");
    }
  }

  private void lookAheadToEntries(int i, Map<String, Object> e, Object writer) {
    String action = (String) e.get("action");
    Object entry = e.get(e.containsKey("previous") ? "previous" : "entry");
    if (INVALIDATED.equals(entry)) {
      last.put(List.of("marker", writer, ""), i);
    }
    if (entry instanceof Long ts && ts > 0 || !action.equals("WriteCommitEntry") && e.get("commit") instanceof Long cell && cell > 0
        || "committed".equals(e.get("told"))) {
      last.put(List.of("commit", writer, ""), i);
    }
    if (action.equals("CollectEntry")) {
      last.put(List.of("collected", writer, ""), i);
    }
    if (action.equals("Transaction")) {
      last.put(List.of("account", writer), i);
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
