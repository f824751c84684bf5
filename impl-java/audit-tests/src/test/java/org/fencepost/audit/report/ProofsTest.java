package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report says of a proof: only what was proved, and only of the modules as they are. */
class ProofsTest {

    @TempDir
    private Path root;

    @BeforeEach
    void aSpecification() throws IOException {
        Files.createDirectories(root.resolve("specs"));
        Files.createDirectories(root.resolve("target/prove"));
        Files.writeString(root.resolve("specs/Toy.tla"), "toy");
    }

    private Proofs proof(int open) throws IOException {
        String hash = Tlc.sha256("toy".getBytes(StandardCharsets.UTF_8));
        Files.writeString(root.resolve("target/prove/proof.json"), "[{\"spec\": \"Toy\", \"modules\": {\"Toy.tla\": \"" + hash + "\"}, \"assumes\": \"a < b\","
                + "\"promises\": [\"Safe\"], \"parts\": {\"Up\": {\"obligations\": 1200, \"open\": " + open + ", \"seconds\": 0.5}}}]");
        return Proofs.of(root);
    }

    @Test
    void whatWasProvedIsTold() throws IOException {
        Proofs proofs = proof(0);
        assertEquals(new Dossier.Cell(Status.OK, "1,200 obligations", "proofs"), proofs.cell("Toy", "Safe", false));
        assertEquals(Status.NONE, proofs.cell("Toy", "Ends", true).status());
        assertEquals(Status.UNKNOWN, proofs.cell("Other", "Safe", false).status());
        assertTrue(proofs.html().contains("<code>a &lt; b</code>"), proofs.html());
        assertEquals(List.of(), SiteTest.flaws(Map.of("proofs.html", proofs.html())));
    }

    @Test
    void whatIsOpenIsNoProof() throws IOException {
        assertEquals(Status.FAILED, proof(1).cell("Toy", "Safe", false).status());
    }

    /** Whatever the file's time says. */
    @Test
    void aChangedModuleIsNotProved() throws IOException {
        Path module = root.resolve("specs/Toy.tla");
        var time = Files.getLastModifiedTime(module);
        Files.writeString(module, "boy");
        Files.setLastModifiedTime(module, time);
        assertEquals(Status.UNKNOWN, proof(0).cell("Toy", "Safe", false).status());
        Files.delete(module);
        assertEquals(Status.UNKNOWN, proof(0).cell("Toy", "Safe", false).status());
    }

    @Test
    void whatDidNotRunIsUnknown() {
        assertEquals(Status.UNKNOWN, Proofs.of(root).cell("Toy", "Safe", false).status());
        assertTrue(Proofs.of(root).html().contains("Unknown"));
    }

    @Test
    void aDamagedFileIsAnError() throws IOException {
        for (String damaged : List.of("[{\"spec\": \"Toy\"}]", "[1]", "{")) {
            Files.writeString(root.resolve("target/prove/proof.json"), damaged);
            assertTrue(assertThrows(AuditException.class, () -> Proofs.of(root)).getMessage().contains("make prove"), damaged);
        }
    }
}
