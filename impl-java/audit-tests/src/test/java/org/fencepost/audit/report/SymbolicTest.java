package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fencepost.audit.report.Dossier.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report says of Apalache's verdicts: only what holds, and only of the modules as they are. */
class SymbolicTest {

    @TempDir
    private Path root;
    private Path copies;

    @BeforeEach
    void aModuleThatHolds() throws IOException {
        Path specs = Files.createDirectories(root.resolve("specs"));
        Path models = Files.createDirectories(specs.resolve("models/Toy"));
        copies = Files.createDirectories(root.resolve("target/check-symbolic/APToy"));
        Files.writeString(specs.resolve("Base.tla"), "---- MODULE Base ----\nEXTENDS Integers\n====\n");
        Files.writeString(specs.resolve("Toy.tla"), "---- MODULE Toy ----\nEXTENDS Base\nSafe == TRUE\nOther == TRUE\n====\n");
        Files.writeString(specs.resolve("Apart.tla"), "---- MODULE Apart ----\n====\n");
        Files.writeString(models.resolve("APToy.tla"), "---- MODULE APToy ----\nEXTENDS Toy, Apalache\nBounded == Safe\nInductive == Bounded\n====\n");
        for (Path module : List.of(specs.resolve("Base.tla"), specs.resolve("Toy.tla"), specs.resolve("Apart.tla"), models.resolve("APToy.tla"))) {
            Files.copy(module, copies.resolve(module.getFileName()));
        }
        Files.createFile(copies.resolve("holds"));
    }

    private Status of(String property) {
        return Symbolic.of(root).cell("Toy", property).status();
    }

    @Test
    void whatTheInvariantNamesHolds() {
        assertEquals(Status.OK, of("Safe"));
        assertEquals(Status.NONE, of("Other"));
        assertEquals(Status.UNKNOWN, Symbolic.of(root).cell("Apart", "Safe").status());
    }

    @Test
    void aChangedModuleIsUnknown() throws IOException {
        Files.writeString(root.resolve("specs/Apart.tla"), "changed");
        assertEquals(Status.OK, of("Safe"));
        Files.writeString(root.resolve("specs/Base.tla"), "changed");
        assertEquals(Status.UNKNOWN, of("Safe"));
    }

    @Test
    void whatDoesNotHoldIsUnknown() throws IOException {
        Files.delete(copies.resolve("holds"));
        assertEquals(Status.UNKNOWN, of("Safe"));
    }
}
