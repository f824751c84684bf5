package org.fencepost.conformance;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

/** What all replays are made of knows none of them; those of the fast path, of the failover and of Fragola are put on top of Omid LL's. */
class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.fencepost.conformance");

    private static LayeredArchitecture rooms(String... usersOfReplay) {
        return layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("conformance").definedBy("org.fencepost.conformance")
                .layer("fastpath").definedBy("org.fencepost.conformance.fastpath")
                .layer("failover").definedBy("org.fencepost.conformance.failover")
                .layer("fragola").definedBy("org.fencepost.conformance.fragola")
                .layer("mediator").definedBy("org.fencepost.conformance.mediator")
                .layer("omid").definedBy("org.fencepost.conformance.omid")
                .layer("replay").definedBy("org.fencepost.conformance.replay")
                .whereLayer("conformance").mayNotBeAccessedByAnyLayer()
                .whereLayer("fastpath").mayOnlyBeAccessedByLayers("conformance")
                .whereLayer("failover").mayOnlyBeAccessedByLayers("conformance")
                .whereLayer("fragola").mayOnlyBeAccessedByLayers("conformance")
                .whereLayer("mediator").mayOnlyBeAccessedByLayers("conformance")
                .whereLayer("omid").mayOnlyBeAccessedByLayers("conformance", "fastpath", "failover", "fragola")
                .whereLayer("replay").mayOnlyBeAccessedByLayers(usersOfReplay);
    }

    @Test
    void arrowsPointDown() {
        rooms("conformance", "fastpath", "failover", "fragola", "mediator", "omid").check(CLASSES);
    }

    /** Omid LL's does use what all are made of: a plan that forbids it is seen to fail. */
    @Test
    void aWrongArrowIsFound() {
        LayeredArchitecture planted = rooms("conformance", "fastpath", "failover", "fragola", "mediator");
        assertThrows(AssertionError.class, () -> planted.check(CLASSES));
    }
}
