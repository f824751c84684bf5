package org.fencepost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code fencepost}: which Java it takes, and what it tells it. And what happens to those who go without. */
class LauncherTest {

    private static final long SECONDS = 60;

    @TempDir
    Path directory;

    /** Beside nothing but a folder of libraries, without which it only says that it is not built. */
    @BeforeEach
    void copyTheLauncher() throws IOException {
        Files.createDirectories(directory.resolve("cli/target/lib"));
        Files.copy(Path.of("fencepost"), directory.resolve("cli/fencepost"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** A Java that tells a version, and otherwise its arguments. */
    private String javaHome(String version) throws IOException {
        Path home = Files.createDirectories(directory.resolve("java-" + version));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nif [ \"$1\" = -version ]; then echo 'openjdk version \"" + version + "\" 2022-02-02' >&2; else echo \"$@\"; fi\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home.toString();
    }

    /** Exit code and all that a user sees. */
    private static String run(String javaHome, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (javaHome != null) {
            builder.environment().put("JAVA_HOME", javaHome);
        }
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS));
        return process.exitValue() + ": " + said;
    }

    private String launch(String javaHome, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(directory.resolve("cli/fencepost").toString()));
        command.addAll(List.of(arguments));
        return run(javaHome, command);
    }

    @Test
    void theJavaOfJavaHomeGetsWhatHBaseNeeds() throws Exception {
        for (String version : List.of("17", "17.0.15", "21.0.2")) {
            String said = launch(javaHome(version), "demo", "--help");
            assertTrue(said.startsWith("0: ") && said.endsWith(" org.fencepost.cli.Fencepost demo --help"), said);
            for (String opened : List.of("java.lang", "java.nio", "java.lang.reflect")) {
                assertTrue(said.contains("--add-opens java.base/" + opened + "=ALL-UNNAMED"), said);
            }
        }
        assertTrue(launch(javaHome("17"), "tm", "--help").endsWith(" org.fencepost.mediator.MediatorTm --help"));
    }

    @Test
    void anotherJavaIsRefusedInOneLine() throws Exception {
        for (String version : List.of("1.8.0_392", "11.0.2", "23", "25.0.1", "26-ea")) {
            String home = javaHome(version);
            assertEquals("2: fencepost needs Java 17 (18 to 22 should do, and are not tested), and " + home + "/bin/java is "
                    + version.replaceAll("\\D.*", "") + ": set JAVA_HOME.", launch(home, "--help"));
        }
        assertTrue(launch(directory.resolve("nowhere").toString(), "--help").endsWith("/nowhere/bin/java is missing: set JAVA_HOME."));
    }

    @Test
    void anEmbeddedHBaseWithoutItsOptionsSaysSoAtOnce() throws Exception {
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens", "java.base/java.nio=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "org.fencepost.cli.Fencepost", "demo");
        String said = run(null, command);
        assertTrue(said.startsWith("2: ") && said.endsWith("The embedded HBase needs options that this JVM was started without: add"
                + " --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.lang.reflect=ALL-UNNAMED."), said);
    }
}
