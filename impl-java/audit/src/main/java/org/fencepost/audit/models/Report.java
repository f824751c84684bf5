package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;

/** The table at the end of a check, and the same for machines. */
final class Report {
    private static final String[] HEAD = {"", "model or mutant", "expected", "verdict", "states", "depth", "seconds"};
    private static final int FIRST_NUMBER = 4;

    private Report() {}

    static String table(List<Result> results) {
        List<String[]> rows = new ArrayList<>(List.<String[]>of(HEAD));
        for (Result r : results) {
            boolean ran = r.verdict().kind() != Verdict.Kind.UNKNOWN;
            rows.add(new String[] {r.asExpected() ? "ok" : "FAIL", r.job().id(), r.job().expected().toString(), r.verdict().toString(),
                    ran ? String.format(Locale.ROOT, "%,d", r.output().distinct()) : "-", ran ? Integer.toString(depth(r)) : "-",
                    String.format(Locale.ROOT, "%.1f", r.seconds())});
        }
        int[] widths = new int[HEAD.length];
        for (String[] row : rows) {
            for (int c = 0; c < row.length; c++) {
                widths[c] = Math.max(widths[c], row[c].length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < HEAD.length; c++) {
                String blanks = " ".repeat(widths[c] - rows.get(i)[c].length());
                line.append(c >= FIRST_NUMBER ? blanks + rows.get(i)[c] : rows.get(i)[c] + blanks).append("  ");
            }
            out.append(line.toString().stripTrailing()).append('\n');
            String message = i == 0 ? null : results.get(i - 1).verdict().message();
            if (message != null) {
                out.append(" ".repeat(widths[0] + 4)).append(message).append('\n');
            }
        }
        return out.toString();
    }

    /** TLC reports the depth of a search that came to its end; of a counterexample it is the number of its states. */
    private static int depth(Result r) {
        boolean violated = r.verdict().kind() == Verdict.Kind.VIOLATES;
        return violated ? r.output().trace().states().size() : r.output().depth();
    }

    static void json(Path file, Check.Findings found) throws IOException {
        Tlc tlc = found.tlc();
        List<Result> results = found.results();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("passed", found.passed());
        Map<String, Object> tool = new LinkedHashMap<>();
        tool.put("version", results.stream().map(r -> r.output().version()).filter(v -> v != null).findFirst().orElse(null));
        tool.put("sha256", tlc.sha256());
        tool.put("pinned", tlc.pinned());
        tool.put("java", System.getProperty("java.vm.version"));
        root.put("tlc", tool);
        root.put("summary", found.completeness().summary());
        root.put("failures", found.completeness().failures());
        root.put("results", results.stream().map(r -> entry(r, found.suite().texts().get(r.job().spec()))).toList());
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, Json.write(root) + "\n");
    }

    private static Map<String, Object> entry(Result r, SpecText text) {
        Job job = r.job();
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("spec", job.spec());
        entry.put("name", job.name());
        entry.put("kind", job.kind().name().toLowerCase(Locale.ROOT));
        entry.put("size", job.size().toString());
        entry.put("guard", job.guard());
        entry.put("expected", job.expected().toString());
        entry.put("verdict", r.verdict().toString());
        entry.put("message", r.verdict().message());
        entry.put("asExpected", r.asExpected());
        entry.put("states", r.output().distinct());
        entry.put("pinnedStates", job.pinned() ? job.states() : null);
        entry.put("generated", r.output().generated());
        entry.put("depth", depth(r));
        entry.put("takenOver", r.known());
        entry.put("seconds", Math.round(r.seconds() * 10) / 10.0);
        entry.put("exit", r.exit());
        entry.put("witnesses", List.copyOf(r.output().witnesses()));
        entry.put("actions", r.taken(text));
        entry.put("counterexample", r.output().trace() == null ? null : r.folder().resolve("counterexample.svg").toString());
        entry.put("log", r.folder().resolve("tlc.out").toString());
        entry.put("command", r.command());
        return entry;
    }
}
