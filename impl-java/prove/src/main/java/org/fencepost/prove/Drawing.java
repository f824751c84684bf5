package org.fencepost.prove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.fencepost.audit.models.Counterexample;
import org.fencepost.audit.models.Trace;
import org.fencepost.audit.text.SpecText;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.TextLanes;

/**
 * Looks for counterexamples to induction, and draws one: what differs between the initial state and one in which the invariant holds, and a
 * step from there to where it does not. The solver finds it for a few transactions, and TLC confirms it.
 *
 * @param library where TLC finds the modules
 * @param folder for what TLC reads, and the picture
 */
record Drawing(Specification spec, List<Path> library, Path folder, int limit, Parallel parallel) {
    private static final int WIDTH = 150;

    /**
     * @param broken where the invariant is not kept, or something does not follow, as action/conjunct
     * @param picture the file; null where TLC confirms nothing
     * @param text the same as text
     */
    record Found(List<String> broken, Path picture, String text) {
    }

    /**
     * @param title of the picture
     * @param parts of the proof, in which it looks
     * @param lesson paragraphs to put below the picture
     */
    Found look(String title, List<Small.World> worlds, List<String> parts, List<String> lesson) throws IOException {
        Set<String> all = new LinkedHashSet<>();
        for (Small.World world : worlds) {
            Examples examples = new Examples(spec, world, limit);
            List<Examples.Broken> broken = new ArrayList<>();
            List<String> asked = parts.stream().filter(p -> !p.equals(Proof.INIT) && !p.equals(Proof.BY_INDUCTION)).toList();
            parallel.<Optional<Examples.Broken>>each(asked, examples::broken, (part, found) -> found.ifPresent(broken::add));
            broken.forEach(b -> b.conjuncts().forEach(c -> all.add(b.part() + "/" + c)));
            for (Examples.Broken b : broken) {
                Optional<SwimLane> picture = picture(title + " in " + world.name(), examples, b, lesson);
                if (picture.isPresent()) {
                    Path svg = folder.resolve("counterexample.svg");
                    Files.writeString(svg, SvgLanes.draw(picture.get()));
                    String drawn = TextLanes.draw(picture.get(), WIDTH);
                    Files.writeString(folder.resolve("counterexample.txt"), drawn);
                    return new Found(List.copyOf(all), svg, drawn);
                }
            }
        }
        return new Found(List.copyOf(all), null, "");
    }

    /** A counterexample to induction in which TLC sees the same as the solver. */
    private Optional<SwimLane> picture(String title, Examples examples, Examples.Broken broken, List<String> lesson) throws IOException {
        Set<String> asked = new TreeSet<>(new Proof(spec, 0, 0).conjuncts("Inductive"));
        asked.addAll(broken.conjuncts());
        ByTlc.Seen seen = new ByTlc(spec, library, folder, List.copyOf(asked)).see(examples.world(), List.of(broken.state())).get(0);
        String conjunct = broken.conjuncts().get(0);
        boolean follows = Proof.FOLLOW.contains(broken.part());
        Optional<ByTlc.Step> step = seen.steps().stream().filter(s -> s.action().equals(broken.part()) && s.violated().contains(conjunct)).findFirst();
        if (follows ? !seen.violated().contains(conjunct) : !seen.violated().isEmpty() || step.isEmpty()) {
            return Optional.empty();
        }
        SpecText text = new SpecText();
        for (Path module : spec.modules()) {
            text.add(Mutants.name(module), Files.readString(module));
        }
        List<Trace.State> states = new ArrayList<>(List.of(new Trace.State(1, "Init", examples.initial()), new Trace.State(2, "(the invariant holds)", seen.values())));
        step.filter(s -> !follows).ifPresent(s -> states.add(new Trace.State(3, broken.part(), s.after())));
        String says = text.operator(conjunct).map(d -> " " + d.sentences(2)).orElse("");
        String violated = (follows ? "Does not follow: " : "Violated by the step: ") + conjunct + "." + says;
        return Optional.of(Counterexample.of(title, states, text, Stream.concat(Stream.of(violated), lesson.stream()).toList()));
    }
}
