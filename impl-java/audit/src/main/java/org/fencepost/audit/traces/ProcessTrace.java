package org.fencepost.audit.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fencepost.audit.text.Json;

/**
 * The trace of one transaction manager's process, as its TraceFile writes it: what it did, and what ZooKeeper answered. It ends where the process was
 * killed, or where it was copied; the last line may be a part of one.
 *
 * <p>Two threads write it. A request was received at the time that it tells, and is put there, with its answer: what the other thread did between the
 * two has nothing to do with it, but for the epoch that it held. A request that comes when the lease has run out is taken up if the lease is renewed
 * before anybody looks; then it is put there.
 */
final class ProcessTrace {
    static final String LEASE = "lease";
    static final String MAX_TS = "maxTS";

    private static final Map<String, Set<String>> RECORDS = Map.of("ReadLease", Set.of("action", "version", "writer"), "WriteLease",
            Set.of("action", "version", "writer"),
            "ReadMaxTs", Set.of("action", "version", "writer", "limit"), "SwapMaxTs", Set.of("action", "version", "writer", "limit"));
    private static final Set<String> REQUESTS = Set.of("Begin", "RequestCommit");
    /** With them begins the lease that was asked for last. */
    private static final Set<String> HOLDS = Set.of("TakeOver", "HoldLease");
    private static final List<String> SETTINGS = List.of("lease", "patience", "leap", "epoch");

    /** A step, an answer of ZooKeeper, or a request's receipt or answer. */
    static final class Item {
        private final Map<String, Object> event;
        private final boolean receipt;

        Item(Map<String, Object> event, boolean receipt) {
            this.event = event;
            this.receipt = receipt;
        }

        Map<String, Object> event() {
            return event;
        }

        String action() {
            return (String) event.get("action");
        }

        long number(String field) {
            return (Long) event.get(field);
        }

        boolean isReceipt() {
            return receipt;
        }

        /** Of what ZooKeeper answered. */
        boolean isRecord() {
            return RECORDS.containsKey(action());
        }

        boolean isRead() {
            return action().startsWith("Read");
        }

        /** It belongs into the merged trace. */
        boolean isEvent() {
            return !receipt && !isRecord();
        }

        /** Of a record. */
        String object() {
            return action().endsWith("Lease") ? LEASE : MAX_TS;
        }

        long version() {
            return number("version");
        }
    }

    /** A request on its way into the order: how many of the other thread's items stand before its receipt, and before its answer. */
    private record Request(Item answer, int received, int answered, boolean straddles) {}

    /** What was sent to make this version. */
    record Sending(String object, long version, Item item, boolean answered) {}

    private final Path file;
    private final Map<String, Object> settings = new LinkedHashMap<>();
    /** Of the thread that keeps the lease. */
    private final List<Item> steps = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final Set<Long> untold = new HashSet<>();
    private final List<Item> items = new ArrayList<>();
    private String owner;
    private TraceCheck.Outcome problem;
    /** How many of the items have been merged. */
    int next;

    ProcessTrace(Path file) throws IOException {
        this.file = file;
        String text = Files.readString(file);
        List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        Map<String, Object> header = lines.isEmpty() ? null : Json.flat(lines.get(0));
        if (header == null || !"TMFailover".equals(header.get("protocol")) || !Long.valueOf(RecordedTrace.FORMAT).equals(header.get("format"))
                || !(header.get("process") instanceof String process) || !SETTINGS.stream()
                        .allMatch(name -> header.get(name) instanceof Long value && value > 0)) {
            problem = ManagerTraces.unsupported(file + " is not the trace of a transaction manager.");
            return;
        }
        owner = process;
        SETTINGS.forEach(name -> settings.put(name, header.get(name)));
        List<Item> unplaced = new ArrayList<>();
        List<Integer> before = new ArrayList<>();
        for (int i = 1; i < lines.size() && problem == null; i++) {
            Item item = item(i, Json.flat(lines.get(i)));
            if (item != null && REQUESTS.contains(item.action())) {
                unplaced.add(item);
                before.add(steps.size());
            } else {
                steps.add(item);
            }
        }
        if (problem == null) {
            place(unplaced, before);
        }
    }

    private Item item(int line, Map<String, Object> event) {
        String where = "Line " + (line + 1) + " of " + file.getFileName() + ": ";
        if (event == null || !(event.get("action") instanceof String action)) {
            problem = ManagerTraces.rejected(where + "it is no event.");
            return null;
        }
        Set<String> fields = RECORDS.containsKey(action) ? RECORDS.get(action) : TMFailoverFormat.fieldsOfProcess(action);
        if (fields == null) {
            problem = ManagerTraces.unsupported(where + "the spec has no action " + action + ".");
        } else if (!fields.equals(event.keySet()) || !event.entrySet().stream()
                .allMatch(field -> field.getValue() instanceof Long != Set.of("action", "tm", "writer", "keys")
                        .contains(field.getKey())) || !event.getOrDefault("tm", owner).equals(owner)) {
            problem = ManagerTraces.rejected(where + "it is no event of " + action + " of this process.");
        }
        return new Item(event, false);
    }

    // ---- the order of its two threads

    /** @param before how many of the other thread's items stood before each */
    private void place(List<Item> unplaced, List<Integer> before) {
        int received = 0;
        int free = 0;
        long epoch = 0;
        long sent = 0;
        long leaseFrom = 0;
        for (int i = 0; i < unplaced.size(); i++) {
            Item request = unplaced.get(i);
            for (int at = received; at < steps.size() && isBefore(steps.get(at), request); at++) {
                Item step = steps.get(at);
                if (step.event.containsKey("clock")) {
                    received = at + 1;
                    sent = step.action().equals("AcquireLease") || step.action().equals("RenewLease") ? step.number("clock") : sent;
                    leaseFrom = HOLDS.contains(step.action()) ? sent : leaseFrom;
                    epoch = step.action().startsWith("TakeOver") ? step.number("epoch") : epoch;
                }
            }
            int takenUp = received;
            int answered = received;
            for (int at = received; at < before.get(i); at++) {
                boolean tooLate = request.number("clock") - leaseFrom >= (Long) settings.get("lease");
                takenUp = tooLate && steps.get(at).action().equals("HoldLease") ? at + 1 : takenUp;
                answered = Set.of("HoldEpoch", "FindEpoch").contains(steps.get(at).action()) ? at + 1 : Math.max(answered, takenUp);
            }
            if (takenUp > received) {
                request.event.put("clock", steps.get(takenUp - 1).number("clock"));
            }
            if (takenUp >= free) {
                requests.add(new Request(request, takenUp, answered, request.action().equals("RequestCommit") && request.number("txn") < epoch));
                free = answered;
            } else if (request.action().equals("Begin")) {
                untold.add(request.number("txn"));
            }
        }
    }

    private static boolean isBefore(Item step, Item request) {
        return !step.event.containsKey("clock") || step.number("clock") < request.number("clock")
                || step.number("clock") == request.number("clock") && !step.action().equals("Halt");
    }

    /** Transactions whose begin came together with another request, which had to wait for the next epoch: the spec takes up one after the other. */
    Set<Long> untold() {
        return untold;
    }

    /** By transaction, adds the begins to those of other processes. */
    void begins(Map<Object, Item> all) {
        requests.stream().map(Request::answer).filter(answer -> answer.action().equals("Begin"))
                .forEach(begin -> all.put(begin.event.get("txn"), begin));
    }

    /** What is kept of the requests, with the begins of the commits among them, which may be another process's. */
    Set<Item> kept(Map<Object, Item> begins, Set<Long> untold) {
        Set<Item> kept = new HashSet<>();
        Map<String, Item> last = new HashMap<>();
        int stretch = -1;
        long greatest = 0;
        Item previous = null;
        for (Request request : requests.stream().filter(r -> !untold.contains(r.answer.number("txn"))).toList()) {
            Item answer = request.answer;
            long ts = answer.number(answer.action().equals("Begin") ? "txn" : "answer");
            if (request.received != stretch) {
                kept.addAll(last.values());
                last.clear();
                stretch = request.received;
            }
            if (ts > 0 && last.put(answer.action(), answer) == null || request.straddles) {
                kept.add(answer);
            }
            if (ts > 0 && ts <= greatest) { // wrong, whatever is left out in between
                kept.addAll(List.of(previous, answer));
            }
            if (ts > greatest) {
                greatest = ts;
                previous = answer;
            }
        }
        kept.addAll(last.values());
        List.copyOf(kept).stream().filter(answer -> answer.action().equals("RequestCommit")).map(commit -> begins.get(commit.event.get("txn")))
                .filter(begin -> begin != null).forEach(kept::add);
        return kept;
    }

    /** Puts into the order what is kept. */
    void arrange(Set<Item> kept) {
        Map<Integer, List<Item>> at = new TreeMap<>();
        for (Request request : requests) {
            if (kept.contains(request.answer)) {
                at.computeIfAbsent(request.received, i -> new ArrayList<>()).add(new Item(request.answer.event, true));
                at.computeIfAbsent(request.answered, i -> new ArrayList<>()).add(request.answer);
            }
        }
        for (int i = 0; i <= steps.size(); i++) {
            items.addAll(at.getOrDefault(i, List.of()));
            if (i < steps.size()) {
                items.add(steps.get(i));
            }
        }
    }

    // ---- for the merge

    TraceCheck.Outcome problem() {
        return problem;
    }

    String owner() {
        return owner;
    }

    /** Those on which the spec depends. */
    Map<String, Object> settings() {
        return settings;
    }

    /** In their order. */
    List<Item> items() {
        return items;
    }

    boolean isMerged() {
        return next == items.size();
    }

    /** In their order; one that was answered is told once more, as that. */
    List<Sending> sendings() {
        List<Sending> sendings = new ArrayList<>();
        Map<String, Item> last = new HashMap<>();
        long maxTs = 0;
        for (Item step : steps) {
            if (step.isRecord()) {
                maxTs = step.object().equals(MAX_TS) ? step.version() : maxTs;
                if (!step.isRead() && last.containsKey(step.object())) {
                    sendings.add(new Sending(step.object(), step.version(), last.get(step.object()), true));
                }
            } else if (step.action().equals("AcquireLease") || step.action().equals("RenewLease")) {
                last.put(LEASE, step);
                sendings.add(new Sending(LEASE, step.version() + 1, step, false));
            } else if (step.action().equals("ExtendEpoch")) {
                last.put(MAX_TS, step);
                sendings.add(new Sending(MAX_TS, maxTs + 1, step, false));
            }
        }
        return sendings;
    }
}
