package org.fencepost.prove;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.TlaValue;

/**
 * What TLC says of states that the solver gave: which invariants hold there, and where steps lead. So nothing that is shown of such a state
 * rests on the translation.
 *
 * @param spec that the states are of
 * @param library where TLC finds its modules
 * @param folder for the module and the configuration that TLC reads
 * @param invariants names of what is asked of the states
 */
record ByTlc(Specification spec, List<Path> library, Path folder, List<String> invariants) {
    private static final Pattern MODEL_VALUE = Pattern.compile("(?<!\")\\b[A-Za-z_]\\w*\\b(?!\")");

    /** @param violated invariants that do not hold there */
    record Seen(Map<String, TlaValue> values, Set<String> violated, List<Step> steps) {

        /** Whether all invariants hold there and the action can be taken. */
        boolean allows(String action) {
            return violated.isEmpty() && steps.stream().anyMatch(s -> s.action.equals(action));
        }
    }

    /** @param violated invariants that do not hold after it */
    record Step(String action, Map<String, TlaValue> after, Set<String> violated) {
    }

    /**
     * Asks TLC, in a process of its own: TLC numbers variables and definitions for all specifications that a process has read, and mixes
     * them up where there are several.
     *
     * @throws AuditException where TLC cannot evaluate something in one of the states, which tells nothing of the others
     */
    List<Seen> see(Small.World world, List<Map<String, TlaValue>> states) {
        try {
            write(world, states);
            List<String> places = Stream.concat(Stream.of(folder), library.stream()).map(p -> p.toAbsolutePath().toString()).toList();
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    "-Xmx512m", "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")).toAbsolutePath(), "-cp", System.getProperty("java.class.path"), TlcStates.class.getName()));
            command.addAll(places);
            Path log = folder.resolve("tlc.log");
            Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
            process.getOutputStream().close();
            List<Seen> seen = read(process.inputReader(StandardCharsets.UTF_8).lines().toList());
            if (process.waitFor() != 0 || seen.size() != states.size()) {
                throw new AuditException("TLC cannot evaluate the states in '" + folder.resolve("Start.tla") + "': " + log + " says why.");
            }
            return seen;
        } catch (IOException e) {
            throw new AuditException("Cannot ask TLC of the states in '" + folder + "': " + e.getMessage() + ".");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts the command
        }
    }

    /** What {@link TlcStates} tells. */
    private static List<Seen> read(List<String> lines) {
        List<Seen> seen = new ArrayList<>();
        Map<String, TlaValue> values = null;
        Set<String> violated = null;
        for (String line : lines) {
            String[] parts = line.split("\t");
            switch (parts[0]) {
                case TlcStates.STATE -> {
                    values = new LinkedHashMap<>();
                    violated = new TreeSet<>();
                    seen.add(new Seen(values, violated, new ArrayList<>()));
                }
                case TlcStates.STEP -> {
                    values = new LinkedHashMap<>();
                    violated = new TreeSet<>();
                    seen.get(seen.size() - 1).steps.add(new Step(parts[1], values, violated));
                }
                case TlcStates.VALUE -> values.put(parts[1], TlaValue.parse(parts[2]));
                case TlcStates.VIOLATED -> violated.add(parts[1].replace("_of_", "!"));
                default -> {
                    // TLC's own words
                }
            }
        }
        return seen;
    }

    private void write(Small.World world, List<Map<String, TlaValue>> states) throws IOException {
        Files.createDirectories(folder);
        Set<String> names = new TreeSet<>();
        world.constants().values().forEach(text -> MODEL_VALUE.matcher(text).results().forEach(m -> names.add(m.group())));
        Files.writeString(folder.resolve("Start.tla"), "---- MODULE Start ----\nEXTENDS " + spec.root().getName() + ", TLC\n"
                + (names.isEmpty() ? "" : "CONSTANTS " + String.join(", ", names) + "\n") + aliases() + "Start ==\n" + states.stream().map(ByTlc::text).collect(Collectors.joining()) + "====\n");
        String constants = Stream.concat(names.stream(), unsaid(world)).map(name -> name + " = " + name + "\n").collect(Collectors.joining())
                + spec.overrides().entrySet().stream().map(o -> o.getKey() + " <- " + o.getValue() + "\n").collect(Collectors.joining());
        Files.writeString(folder.resolve("Start.cfg"), world.text() + (constants.isEmpty() ? "" : "\nCONSTANTS\n" + constants) + "\nINIT Start\nNEXT Next\n"
                + (invariants.isEmpty() ? "" : "INVARIANTS " + invariants.stream().map(ByTlc::alias).collect(Collectors.joining(" ")) + "\n"));
    }

    /** The bounds of models, of which an action knows nothing. */
    private Stream<String> unsaid(Small.World world) {
        return Stream.of(spec.root().getConstantDecls()).map(c -> c.getName().toString()).filter(name -> !world.says(name));
    }

    /** A configuration takes no names of an instance's definitions. */
    private String aliases() {
        return invariants.stream().filter(name -> !name.equals(alias(name))).map(name -> alias(name) + " == " + name + "\n").collect(Collectors.joining());
    }

    private static String alias(String invariant) {
        return invariant.replace("!", "_of_");
    }

    private static String text(Map<String, TlaValue> state) {
        return state.entrySet().stream().map(e -> "    /\\ " + e.getKey() + " = " + e.getValue() + "\n").collect(Collectors.joining()).replaceFirst("   ", " \\\\/");
    }
}
