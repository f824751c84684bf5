package org.fencepost.bench.peer;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the benchmarks that compare with Apache Omid on an HBase can be told of it. */
public final class PeerOptions {

    @Option(names = "--peer", defaultValue = "impl-java/bench-peer/target/lib", paramLabel = "DIR",
            description = "Apache Omid and its libraries. Default: ${DEFAULT-VALUE}.")
    public Path libraries;

    @Option(names = "--conflict-table-size", defaultValue = "8388608", description = "Cells in Apache Omid's. Default: ${DEFAULT-VALUE}.")
    public int conflictEntries;

    /**
     * A sentence about these options, or null.
     *
     * @param needed whether Apache Omid is to run
     */
    public String problem(boolean needed) {
        if (conflictEntries < 1 << 16 || conflictEntries > 1 << 26) {
            return "--conflict-table-size must be " + (1 << 16) + " to " + (1 << 26) + ".";
        }
        if (needed && !Files.isDirectory(libraries)) {
            return "Apache Omid is not in " + libraries + ": run `make bench`, which fetches it, or name its place by --peer.";
        }
        return null;
    }
}
