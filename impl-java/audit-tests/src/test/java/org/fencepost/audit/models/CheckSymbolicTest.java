package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code check-symbolic} with something in Apalache's place: what it makes of each way that a run can end. */
@Timeout(60)
class CheckSymbolicTest {
    private static final Path SPECS = Path.of("../../specs");
    private static final String TYPES = "APToy * s its types";
    private static final String FIRST = "APToy * s Init => Inductive";
    private static final String STEP = "APToy * s Assumed /\\ Next => Inductive'";

    @TempDir
    Path folder;
    private Path bin;

    @BeforeEach
    void copyTheScript() throws IOException {
        Path specs = folder.resolve("specs");
        Path models = Files.createDirectories(specs.resolve("models/Toy"));
        Files.copy(SPECS.resolve("check-symbolic"), specs.resolve("check-symbolic"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(specs.resolve("Toy.tla"), "---- MODULE Toy ----\n====\n");
        Files.writeString(models.resolve("APToy.tla"), "---- MODULE APToy ----\nEXTENDS Toy\nConstInit == TRUE\n====\n");
        Files.writeString(Files.createDirectories(specs.resolve("proof")).resolve("ToyInv.tla"), "---- MODULE ToyInv ----\nEXTENDS Toy\n====\n");
        bin = Files.createDirectories(folder.resolve("bin"));
    }

    /** Apalache stands where it is looked for, ends well, or with this for arguments that match. */
    private void install(String pattern, String otherwise) throws IOException {
        Path apalache = bin.resolve("apalache-mc");
        Files.writeString(apalache, "#!/bin/sh\necho \"$@\"\ncase \"$*\" in " + pattern + ") " + otherwise + " ;; esac\necho 'The outcome is: NoError'\n");
        Files.setPosixFilePermissions(apalache, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Exit code, and the lines that a user sees without the times. */
    private List<String> run(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("specs/check-symbolic").toString()).redirectErrorStream(true);
        builder.environment().put("PATH", bin + File.pathSeparator + "/usr/bin" + File.pathSeparator + "/bin");
        builder.environment().keySet().removeAll(List.of("APALACHE_HOME", "ONLY", "LIMIT"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceAll("[0-9]+ s\\b", "* s").replaceAll(" +", " ");
        return Stream.concat(Stream.of(Integer.toString(process.waitFor())), said.lines()).toList();
    }

    private String at(String run) throws IOException {
        return folder.toRealPath().resolve("target/check-symbolic/APToy").resolve(run).toString();
    }

    /** The invariant of a proof, for each size that the module names. */
    @Test
    void promisesFollowInEachSize() throws Exception {
        install("*Promises*--length=0*", "exit 12");
        Files.writeString(folder.resolve("specs/models/Toy/APToy.tla"), "---- MODULE APToy ----\nEXTENDS ToyInv\nConstInit2x1 == TRUE\nConstInit2x2 == FALSE\n====\n");
        List<String> said = run(Map.of());
        assertEquals("1", said.get(0));
        assertTrue(said.contains("APToy * s 2x2: Init => Inductive"), said::toString);
        assertTrue(said.contains("APToy violates 2x1: Assumed => Promises: the counterexample is in " + at("promises2x1") + "."), said::toString);
        assertEquals("7 checked in * s, 2 failed, 0 unknown", said.get(said.size() - 1));
    }

    @Test
    void theInvariantOfAProofIsCheckedWhereItIsAskedFor() throws Exception {
        install("nothing", "exit 1");
        Files.writeString(folder.resolve("specs/models/Toy/APToyInv.tla"), "---- MODULE APToyInv ----\nEXTENDS ToyInv\nConstInit2x1 == TRUE\n====\n");
        String left = "APToyInv is left out, since it takes long: make check-symbolic ONLY=APToyInv";
        assertEquals(List.of("0", TYPES, FIRST, STEP, left, "3 checked in * s, 0 failed, 0 unknown"), run(Map.of()));
        assertFalse(Files.exists(folder.resolve("target/check-symbolic/APToyInv")));
        assertEquals("4 checked in * s, 0 failed, 0 unknown", run(Map.of("ONLY", "APToyInv")).get(5));
    }

    @Test
    void everythingHolds() throws Exception {
        install("nothing", "exit 1");
        assertEquals(List.of("0", TYPES, FIRST, STEP, "3 checked in * s, 0 failed, 0 unknown"), run(Map.of()));
        assertTrue(Files.readString(Path.of(at("first/log"))).contains(" --init=Init --inv=Inductive --length=0 APToy.tla"));
        assertTrue(Files.readString(Path.of(at("step/log"))).contains(" --init=Assumed --inv=Inductive --length=1 APToy.tla"));
        assertTrue(Files.exists(Path.of(at("holds"))));
    }

    @Test
    void whatIsViolatedIsNamed() throws Exception {
        install("*--init=Assumed*", "exit 12");
        assertEquals(List.of("1", TYPES, FIRST, "APToy violates Assumed /\\ Next => Inductive': the counterexample is in " + at("step") + ".",
                "3 checked in * s, 1 failed, 0 unknown"), run(Map.of()));
        assertFalse(Files.exists(Path.of(at("holds"))));
    }

    @Test
    void anErrorIsNoVerdict() throws Exception {
        install("*--init=Init*", "exit 255");
        assertEquals(List.of("1", TYPES, "APToy: Init => Inductive could not be checked, Apalache ended with 255: see " + at("first/log") + ".",
                STEP, "3 checked in * s, 1 failed, 0 unknown"), run(Map.of()));
        install("typecheck*", "exit 120");
        assertEquals("APToy: its types could not be checked, Apalache ended with 120: see " + at("types/log") + ".", run(Map.of()).get(1));
    }

    @Test
    void nothingToCheckIsNoVerdict() throws Exception {
        install("*--length=1*", "echo 'The outcome is: ExecutionsTooShort'; exit 0");
        assertEquals(List.of("1", TYPES, FIRST, "APToy: Assumed /\\ Next => Inductive' says nothing, since there is no such state or step: see "
                + at("step/log") + ".", "3 checked in * s, 1 failed, 0 unknown"), run(Map.of()));
    }

    @Test
    void whatWasNotFinishedIsUnknown() throws Exception {
        install("*--init=Init*", "sleep 50");
        assertEquals(List.of("3", TYPES, "unknown: APToy, Init => Inductive: 2 seconds were not enough.",
                "unknown: APToy, Assumed /\\ Next => Inductive': 2 seconds were not enough.", "3 checked in * s, 0 failed, 2 unknown"),
                run(Map.of("LIMIT", "2")));
        assertFalse(Files.exists(Path.of(at("holds"))));
    }

    @Test
    void whereApalacheIsMissingNothingIsKnown() throws Exception {
        assertEquals(List.of("3", "unknown: Apalache is not installed; put apalache-mc on the PATH or set APALACHE_HOME."), run(Map.of()));
    }

    @Test
    void apalacheHomeIsLookedIn() throws Exception {
        install("nothing", "exit 1");
        assertEquals("0", run(Map.of("PATH", "/usr/bin" + File.pathSeparator + "/bin", "APALACHE_HOME", folder.toString())).get(0));
    }
}
