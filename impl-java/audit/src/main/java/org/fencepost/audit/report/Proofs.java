package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.fencepost.audit.report.Dossier.Cell;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.Tlc;

/**
 * What {@code make prove} left in {@code target/prove}. A proof counts as long as each module that it is about has the content that was
 * proved.
 */
record Proofs(List<Proof> all) {

    /**
     * @param fresh whether the specs are those that were proved
     * @param assumes of the constants
     * @param promises that were proved, if nothing else is open
     * @param parts what was proved of each action, and of what follows from the invariant
     */
    record Proof(String spec, boolean fresh, String assumes, List<String> promises, Map<String, Part> parts) {

        long obligations() {
            return parts.values().stream().mapToLong(Part::obligations).sum();
        }

        long open() {
            return parts.values().stream().mapToLong(Part::open).sum();
        }

        Status status() {
            return !fresh ? Status.UNKNOWN : open() == 0 ? Status.OK : Status.FAILED;
        }
    }

    record Part(long obligations, long open, double seconds) {}

    /** @param root the tree, with specs and target in it */
    static Proofs of(Path root) {
        Path file = root.resolve("target/prove/proof.json");
        if (!Files.isRegularFile(file)) {
            return new Proofs(List.of());
        }
        try {
            return Json.read(Files.readString(file)) instanceof List<?> proofs
                    ? new Proofs(proofs.stream().map(p -> proof(root.resolve("specs"), (Map<?, ?>) p)).toList()) : new Proofs(List.of());
        } catch (IOException | IllegalArgumentException | ClassCastException | NullPointerException e) {
            throw new AuditException("Cannot read '" + file + "': " + e.getMessage() + ". Run make prove again, or remove it.");
        }
    }

    private static Proof proof(Path specs, Map<?, ?> says) {
        Map<String, Part> parts = new LinkedHashMap<>();
        ((Map<?, ?>) says.get("parts")).forEach((name, part) -> {
            Map<?, ?> figures = (Map<?, ?>) part;
            parts.put((String) name, new Part(number(figures, "obligations").longValue(), number(figures, "open").longValue(),
                    number(figures, "seconds").doubleValue()));
        });
        boolean fresh = ((Map<?, ?>) says.get("modules")).entrySet().stream().allMatch(m -> isSame(specs.resolve((String) m.getKey()), m.getValue()));
        List<String> promises = ((List<?>) says.get("promises")).stream().map(p -> (String) p).toList();
        return new Proof((String) says.get("spec"), fresh, (String) says.get("assumes"), promises, parts);
    }

    private static Number number(Map<?, ?> figures, String name) {
        return (Number) Objects.requireNonNull(figures.get(name), name);
    }

    private static boolean isSame(Path module, Object sha256) {
        try {
            return Files.isRegularFile(module) && Tlc.sha256(Files.readAllBytes(module)).equals(sha256);
        } catch (IOException e) {
            return false;
        }
    }

    /** For a property of a specification of which there is no proof, nothing is claimed. */
    Cell cell(String spec, String property, boolean temporal) {
        Proof proof = all.stream().filter(p -> p.spec().equals(spec)).findFirst().orElse(null);
        if (proof == null || !proof.fresh()) {
            return Cell.unknown(Kind.PROVED);
        } else if (!proof.promises().contains(property)) {
            return new Cell(Status.NONE, temporal ? "liveness is not proved" : "not proved", null);
        }
        return proof.open() > 0 ? new Cell(Status.FAILED, proof.open() + " obligations are open", "proofs")
                : new Cell(Status.OK, String.format("%,d obligations", proof.obligations()), "proofs");
    }

    /** For the page. */
    String html() {
        StringBuilder content = new StringBuilder();
        for (Proof proof : all) {
            content.append("<h3>").append(Html.text(proof.spec())).append("</h3>\n<p>")
                    .append(Html.text(!proof.fresh() ? "Unknown: the modules have changed since. " : proof.open() == 0 ? "Nothing is open. " : "Not proved. "))
                    .append("For sets of any size. Assumed: <code>").append(Html.text(proof.assumes())).append("</code>. What follows: ")
                    .append(Html.text(String.join(", ", proof.promises()))).append(".</p>\n");
            List<Html.Row> rows = new ArrayList<>();
            Stream<Map.Entry<String, Part>> parts = proof.parts().entrySet().stream();
            parts.forEach(p -> rows.add(new Html.Row(null, List.of(Html.text(p.getKey()), String.valueOf(p.getValue().obligations()),
                    String.valueOf(p.getValue().open()), String.format("%.1f", p.getValue().seconds())))));
            content.append(Html.table("Proof of " + proof.spec(), List.of("action or part", "obligations", "open", "seconds"), rows));
        }
        return content.isEmpty() ? "<p>Unknown: nothing in <code>target/prove</code>.</p>\n" : content.toString();
    }
}
