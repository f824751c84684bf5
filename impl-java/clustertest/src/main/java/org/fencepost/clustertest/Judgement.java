package org.fencepost.clustertest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.clustertest.verdict.Acknowledged;
import org.fencepost.clustertest.verdict.Adya;
import org.fencepost.clustertest.verdict.HistoryFile;
import org.fencepost.clustertest.verdict.Judge;
import org.fencepost.clustertest.verdict.MixedJudge;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.verdict.SessionJudge;
import org.fencepost.clustertest.verdict.Validator;
import org.fencepost.clustertest.verdict.Verdict;
import org.fencepost.clustertest.workload.NativeAndTransactional;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.protocol.history.Violation;

/** What all checkers say about a history. The worst of them counts: invalid, then unknown, then valid. */
final class Judgement {

    static final String JSON_FILE = "history.json";
    private static final String EDN_FILE = "history.edn";
    private static final String VIOLATIONS_FILE = "violations.txt";

    private final Map<String, Verdict> parts = new LinkedHashMap<>();

    /** Writes the history into the folder, and judges it: its form, by timestamps, by the workload's own checker, by adya. */
    static Judgement of(Workload workload, List<Op> history, Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        HistoryFile.writeEdn(folder.resolve(EDN_FILE), history);
        HistoryFile.writeJson(folder.resolve(JSON_FILE), history);
        Judgement judgement = new Judgement();
        List<String> own = workload.violations(history);
        Verdict versions = workload.hasVersions() ? byVersions(workload, history, folder) : null;
        Workload.Elle elle = workload.elle();
        if (elle != null) {
            List<String> defects = Validator.defects(history, elle.lists());
            judgement.add("form", Verdict.unknownFor(defects, "every operation is completed, every value was written once and by somebody"));
            judgement.add("adya", defects.isEmpty() ? byAdya(elle, folder) : Verdict.unknown("adya does not get a history of that form"));
        }
        if (elle != null && elle.lists() && elle.realTime()) {
            judgement.add("answered", Verdict.invalidFor(Acknowledged.lost(history), "every append that was answered is there in the end"));
        }
        if (versions != null) {
            judgement.add("timestamps", versions);
        }
        if (elle == null) {
            judgement.add("workload", Verdict.invalidFor(own, "its own checker found nothing wrong"));
        }
        return judgement;
    }

    private static Verdict byVersions(Workload workload, List<Op> history, Path folder) throws IOException {
        try {
            if (workload.isMediators()) {
                List<String> violations = MixedJudge.violations(history, workload.isolation().equals(NativeAndTransactional.SERIALIZABLE));
                Files.write(folder.resolve(VIOLATIONS_FILE), violations);
                return Verdict.invalidFor(violations.stream().map(violation -> violation.lines().findFirst().orElse("")).toList(),
                        "native operations and transactions have an order that explains what everybody saw, and all of it was stored");
            }
            if (workload.isPH1()) {
                List<String> violations = SessionJudge.violations(history);
                Files.write(folder.resolve(VIOLATIONS_FILE), violations);
                return Verdict.invalidFor(violations, "every read returned the version that its snapshot has, no two overlapping writers committed, and each session saw"
                        + " what it had committed");
            }
            List<Violation> violations = Judge.violations(history);
            Files.write(folder.resolve(VIOLATIONS_FILE), violations.stream().map(Violation::toString).toList());
            return Verdict.invalidFor(violations.stream().map(v -> v.axiom() + ": " + v.what()).toList(),
                    "every read returned the version that its snapshot has, and no two overlapping writers committed");
        } catch (IllegalArgumentException e) {
            return Verdict.unknown(e.getMessage());
        }
    }

    private static Verdict byAdya(Workload.Elle elle, Path folder) throws IOException, InterruptedException {
        Path program = Adya.find();
        return program == null ? Verdict.unknown("adya is not installed: run `make adya`, or name it in $ADYA")
                : Adya.check(program, folder.resolve(JSON_FILE), elle.lists(), elle.model(), folder.resolve("adya.json"));
    }

    void add(String part, Verdict verdict) {
        parts.put(part, verdict);
    }

    Map<String, Verdict> parts() {
        return parts;
    }

    Verdict.Kind kind() {
        return parts.values().stream().map(Verdict::kind).max(Enum::compareTo).orElse(Verdict.Kind.UNKNOWN);
    }

    /** For people: a line for each part, with its first reasons. */
    String text() {
        int shown = 3;
        StringBuilder text = new StringBuilder();
        parts.forEach((part, verdict) -> {
            text.append(String.format("  %-12s %-8s %s%n", part, verdict.kind().name().toLowerCase(), verdict.reasons().get(0)));
            verdict.reasons().stream().limit(shown).skip(1).forEach(reason -> text.append(" ".repeat(24)).append(reason).append('\n'));
            if (verdict.reasons().size() > shown) {
                text.append(" ".repeat(24)).append("and ").append(verdict.reasons().size() - shown).append(" more\n");
            }
        });
        return text.toString();
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        parts.forEach((part, verdict) -> {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("valid", verdict.kind().json());
            each.put("reasons", new ArrayList<>(verdict.reasons()));
            json.put(part, each);
        });
        return json;
    }
}
