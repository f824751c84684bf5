package org.fencepost.tm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fencepost.audit.traces.ManagerTraces;
import org.fencepost.audit.traces.TraceCheck;

/** What the specification says to what real processes did. */
public final class Traces {

    private static final Path SPECS = Path.of("..", "..", "specs");

    private Traces() {
    }

    /** A folder for a test's traces, which are kept for whoever wants to look at them. */
    public static Path folder(String test) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "traces", test)).toAbsolutePath();
        for (Path file : ManagerTraces.in(folder)) {
            Files.delete(file);
        }
        return folder;
    }

    /** Of all processes that wrote into this folder. */
    public static TraceCheck.Outcome check(Path folder) throws IOException, InterruptedException {
        return ManagerTraces.check(ManagerTraces.in(folder), SPECS, folder, null);
    }
}
