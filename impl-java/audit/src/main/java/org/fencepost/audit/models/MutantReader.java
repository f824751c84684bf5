package org.fencepost.audit.models;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.audit.text.SpecText;

/**
 * Turns a mutant's header into a run: its model's configuration with the guard overridden.
 *
 * <p>What is checked is the one property that must fail, which is what the mutant says of its guard; the others would cost as much time as
 * all the rest. A mutant that is said to survive is checked against everything. No mutant owes a witness, so none is looked for.
 */
final class MutantReader {
    private final String spec;
    private final SpecText text;
    private final Map<String, Job> models;
    private final Map<String, Config> configs;

    MutantReader(String spec, SpecText text, Map<String, Job> models, Map<String, Config> configs) {
        this.spec = spec;
        this.text = text;
        this.models = models;
        this.configs = configs;
    }

    Job read(Path file, Header header) {
        List<String> problems = header.problems();
        String name = file.getFileName().toString().replaceAll("\\.tla$", "");
        String guard = header.require("removes");
        String model = header.require("model");
        String survives = header.get("survives");
        String dies = survives == null ? header.require("dies") : header.get("dies");
        if (survives != null && dies != null) {
            problems.add("gives both 'dies' and 'survives'");
        }
        if (models.containsKey(name)) {
            problems.add("a model of this spec has the same name");
        }
        if (guard != null && text.operator(guard).isEmpty()) {
            problems.add("removes '" + guard + "', which no module of the spec defines");
        }
        Map<String, String> overrides = overrides(header, problems);
        if (guard != null && !overrides.isEmpty() && !overrides.containsKey(guard)) {
            problems.add("removes '" + guard + "' but overrides only " + overrides.keySet());
        }
        Job base = models.get(model);
        if (model != null && base == null) {
            problems.add("no model '" + model + "' in models/" + spec);
        } else if (base != null && base.problem() != null) {
            problems.add("its model " + model + " is broken: " + base.problem());
        } else if (base != null && base.size() == Job.Size.DRAWN) {
            problems.add("its model " + model + " is too large to be searched");
        }
        Config config = null;
        if (base != null) {
            config = configs.get(model);
            boolean temporal = isTemporal(dies, config);
            config = "off".equals(header.get("symmetry")) ? config.withoutSymmetry() : config;
            config = checking(config, dies, temporal, problems);
            for (Map.Entry<String, String> o : overrides.entrySet()) {
                config = config.overriding(o.getKey(), o.getValue());
            }
        }
        Job.Expected expected = survives != null ? Job.Expected.PASS : new Job.Expected(dies == null ? "?" : dies);
        return new Job(spec, name, Job.Kind.MUTANT, file, name, config, expected, base == null ? null : base.states(), null, List.of(), null,
                List.of(), List.of(), false, base == null || !problems.isEmpty() ? Job.Size.CI : base.size(), guard,
                model, survives != null ? survives : header.get("why"), Suite.join(problems));
    }

    private static Map<String, String> overrides(Header header, List<String> problems) {
        header.require("override");
        Map<String, String> overrides = new LinkedHashMap<>();
        for (String override : header.list("override")) {
            String[] sides = override.split("\\s*<-\\s*");
            if (sides.length != 2 || !sides[0].matches("\\w+") || !sides[1].matches("\\w+")) {
                problems.add("the field 'override' must be '<Operator> <- <Operator>', not '" + override + "'");
            } else {
                overrides.put(sides[0], sides[1]);
            }
        }
        return overrides;
    }

    private Config checking(Config base, String dies, boolean temporal, List<String> problems) {
        if (dies == null) {
            return base.checking(base.invariants().stream().filter(i -> !Config.tellsWitnesses(i)).toList(), base.properties());
        }
        if (text.operator(dies).isEmpty()) {
            problems.add("must die of '" + dies + "', which no module of the spec defines");
        }
        return base.checking(temporal ? List.of() : List.of(dies), temporal ? List.of(dies) : List.of());
    }

    /** Of a property that this model does not check, its other models know the kind; one that no model checks is taken as an invariant. */
    private boolean isTemporal(String property, Config base) {
        if (property == null) {
            return false;
        }
        if (base.invariants().contains(property) || base.properties().contains(property)) {
            return base.properties().contains(property);
        }
        return configs.values().stream().anyMatch(c -> c.properties().contains(property));
    }
}
