package org.fencepost.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Benchmarks use what all are made of, and none of each other. */
class RoomsTest {

    private static final List<String> BENCHMARKS = List.of("tm", "fastpath", "mix", "mediator", "index", "scale", "ph1");

    private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.fencepost.bench");

    @Test
    void arrowsPointDown() {
        for (String one : BENCHMARKS) {
            none(one, BENCHMARKS.stream().filter(other -> !other.equals(one)).toArray(String[]::new)).check(CLASSES);
            none("harness", one, "load", "peer").check(CLASSES);
            none("load", one, "harness", "peer").check(CLASSES);
            none("peer", one).check(CLASSES);
        }
    }

    @Test
    void aWrongArrowIsFound() {
        ArchRule planted = none("tm", "load");
        assertThrows(AssertionError.class, () -> planted.check(CLASSES));
    }

    private static ArchRule none(String room, String... others) {
        return noClasses().that().resideInAPackage("org.fencepost.bench." + room + "..").should().dependOnClassesThat()
                .resideInAnyPackage(Arrays.stream(others).map(other -> "org.fencepost.bench." + other + "..").toArray(String[]::new));
    }
}
