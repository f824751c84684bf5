package org.fencepost.bench.mix;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the benchmarks that compare with Apache Omid on an HBase can be told of it. */
final class PeerOptions {

    @Option(names = "--peer", defaultValue = "impl-java/bench-peer/target/lib", paramLabel = "DIR",
            description = "Apache Omid and its libraries. Default: ${DEFAULT-VALUE}.")
    Path libraries;

    @Option(names = "--conflict-table-size", defaultValue = "8388608", description = "Cells in Apache Omid's. Default: ${DEFAULT-VALUE}.")
    int conflictEntries;

    /**
     * A sentence about these options, or null.
     *
     * @param needed whether Apache Omid is to run
     */
    String problem(boolean needed) {
        if (conflictEntries < 1 << 16 || conflictEntries > 1 << 26) {
            return "--conflict-table-size must be " + (1 << 16) + " to " + (1 << 26) + ".";
        }
        if (needed && !Files.isDirectory(libraries)) {
            return "Apache Omid is not in " + libraries + ": run `make bench`, which fetches it, or name its place by --peer.";
        }
        return null;
    }
}
