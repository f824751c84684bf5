package org.fencepost.clustertest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.fencepost.clustertest.BrokenBuild.Guard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each guard can be taken out of the sources as they are now. */
class BrokenBuildTest {

    @TempDir
    private Path folder;

    static Stream<Guard> guards() {
        return BrokenBuild.GUARDS.values().stream();
    }

    @ParameterizedTest
    @MethodSource("guards")
    void theSourceCompilesWithoutIt(Guard guard) throws Exception {
        Path source = folder.resolve(guard.type() + ".java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, BrokenBuild.without(guard, Path.of("..", "..")));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertNotNull(compiler, "a JDK is needed");
        assertEquals(0, compiler.run(null, null, null, "-nowarn", "-proc:none", "--release", "17", "-cp", System.getProperty("java.class.path"),
                "-d", folder.toString(), source.toString()));
    }

    @Test
    void thisBuildIsWhole() throws Exception {
        assertNull(BrokenBuild.guardMissingHere());
    }
}
