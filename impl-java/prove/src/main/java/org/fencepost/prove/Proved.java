package org.fencepost.prove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.audit.text.Tlc;

/**
 * What the audit report is told of a proof.
 *
 * @param modules the modules that it is about, from the folder of the specs on, with the SHA-256 of their content: the proof counts as long as they are so
 * @param assumes what is assumed of the constants, as it stands in the module
 * @param parts an action or another part of the proof, by what was proved of it
 */
record Proved(String spec, Map<String, String> modules, String assumes, List<String> promises, Map<String, Part> parts) {

    record Part(int obligations, int open, double seconds) {
    }

    static Proved of(String name, Specification spec, Path specs, List<Proof.Result> results) throws IOException {
        Map<String, String> modules = new TreeMap<>();
        for (Path module : spec.modules()) {
            modules.put(specs.toAbsolutePath().relativize(module.toAbsolutePath()).toString(), Tlc.sha256(Files.readAllBytes(module)));
        }
        Map<String, Part> parts = new LinkedHashMap<>();
        List<String> promises = new ArrayList<>();
        for (Proof.Result r : results) {
            parts.merge(r.part(), new Part(r.obligations(), r.open(), r.seconds()),
                    (a, b) -> new Part(a.obligations() + b.obligations(), a.open() + b.open(), a.seconds() + b.seconds()));
            if (r.part().equals(Proof.PROMISES) && r.open() == 0) {
                promises.add(r.conjunct());
            }
        }
        return new Proved(name, modules, spec.text("Constants"), promises, parts);
    }
}
