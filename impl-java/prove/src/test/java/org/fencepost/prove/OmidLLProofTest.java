package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tla2sany.semantic.ThmOrAssumpDefNode;

/** The module for the TLA+ proof system, as far as it can be judged without one: it can be parsed, and has a lemma for each action. */
class OmidLLProofTest {
    private static final Path SPECS = Path.of("../../specs");

    @TempDir
    private Path folder;

    private Specification read(String text) throws IOException {
        // these come with the proof system
        Files.writeString(folder.resolve("TLAPS.tla"), "---- MODULE TLAPS ----\nPTL == TRUE\nZenon == TRUE\nSMTT(seconds) == TRUE\n====\n");
        Files.writeString(folder.resolve("WellFoundedInduction.tla"), """
                ---- MODULE WellFoundedInduction ----
                EXTENDS Naturals
                OpToRel(_ \\prec _, S) == {p \\in S \\X S : p[1] \\prec p[2]}
                IsWellFoundedOn(R, S) == TRUE
                THEOREM WFMin == TRUE
                THEOREM NatLessThanWellFounded == TRUE
                ====
                """);
        Path module = Files.writeString(folder.resolve("OmidLLProof.tla"), text);
        return Specification.read(module, List.of(SPECS, SPECS.resolve("proof"), SPECS.resolve("proof/tlaps"), folder), Map.of());
    }

    private static String text() throws IOException {
        return Files.readString(SPECS.resolve("proof/OmidLLProof.tla"));
    }

    @Test
    void eachActionHasItsLemma() throws IOException {
        Specification spec = read(text());
        Set<String> lemmas = Stream.of(spec.root().getThmOrAssDefs()).map(ThmOrAssumpDefNode::getName).map(Object::toString)
                .filter(name -> name.endsWith("Keeps")).collect(Collectors.toSet());
        Set<String> actions = Stream.concat(Stream.of("Stuttering"), new Proof(spec, 0, 0).actions().stream()).map(action -> action + "Keeps").collect(Collectors.toSet());
        assertEquals(actions, lemmas);
    }

    @Test
    void aStepThatNamesNothingIsAnError() {
        assertThrows(AuditException.class, () -> read(text().replace("BY <1>1, PromisesFollow, PTL", "BY <1>1, PromisesFollows, PTL")));
    }
}
