package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.report.Dossier.Cell;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.SpecText;

/**
 * What {@code make check-symbolic} left in {@code target/check-symbolic}: a folder for each module that Apalache took, with copies of what it
 * read, and a file {@code holds} if its invariant is inductive. It counts as long as the modules are as they were.
 *
 * @param holding what the inductive invariant of a specification names, by specification
 */
record Symbolic(Map<String, Set<String>> holding) {
    private static final Pattern USED = Pattern.compile("\\b(?:EXTENDS|INSTANCE)\\s+(\\w+(?:\\s*,\\s*\\w+)*)");

    /** @param root the tree, with specs and target in it */
    static Symbolic of(Path root) {
        Path folder = root.resolve("target/check-symbolic");
        Map<String, Set<String>> holding = new LinkedHashMap<>();
        try (Stream<Path> modules = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            for (Path module : modules.filter(m -> Files.exists(m.resolve("holds"))).sorted().toList()) {
                String name = module.getFileName().toString();
                String spec = name.substring("AP".length()).replaceFirst("Inv$", "");
                Map<String, String> read = new LinkedHashMap<>();
                if (isSame(module, name, root.resolve("specs"), spec, read)) {
                    SpecText text = new SpecText();
                    read.forEach(text::add);
                    Set<String> found = new TreeSet<>(text.mentions("Inductive"));
                    found.addAll(name.endsWith("Inv") ? text.mentions("Promises") : Set.of());
                    holding.merge(spec, found, (a, b) -> Stream.concat(a.stream(), b.stream()).collect(Collectors.toSet()));
                }
            }
        } catch (IOException e) {
            throw new AuditException("Cannot read '" + folder + "': " + e.getMessage() + ".");
        }
        return new Symbolic(holding);
    }

    /** Whether the copy of the module, and of each that it builds on, has the content that is in the tree. */
    private static boolean isSame(Path copies, String module, Path specs, String spec, Map<String, String> read) throws IOException {
        Path copy = copies.resolve(module + ".tla");
        if (read.containsKey(module) || !Files.isRegularFile(copy)) {
            return true; // a module that comes with the checker has no copy
        }
        Path original = module.startsWith("AP") ? specs.resolve("models").resolve(spec).resolve(module + ".tla")
                : specs.resolve(module.endsWith("Inv") ? "proof" : "").resolve(module + ".tla");
        if (!Files.isRegularFile(original) || Files.mismatch(copy, original) != -1) {
            return false;
        }
        read.put(module, Files.readString(copy));
        Matcher used = USED.matcher(read.get(module));
        while (used.find()) {
            for (String other : used.group(1).split("\\s*,\\s*")) {
                if (!isSame(copies, other, specs, spec, read)) {
                    return false;
                }
            }
        }
        return true;
    }

    Cell cell(String spec, String property) {
        Set<String> holds = holding.get(spec);
        return holds == null ? Cell.unknown(Kind.SYMBOLIC)
                : holds.contains(property) ? new Cell(Status.OK, "inductive", null) : new Cell(Status.NONE, "not in the invariant", null);
    }
}
