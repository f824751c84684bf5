package org.fencepost.audit.models;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tlc2.TLC;
import tlc2.output.EC;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * Runs TLC once for each line of standard input, which has the working folder and then TLC's arguments, with tabs between. Behind what TLC
 * says comes a line with its exit code. The other end is {@link TlcHost}.
 */
final class TlcLoop {
    static final String SEPARATOR = "\t";
    static final String END = "TlcLoop ended with exit code ";
    private static final int EXIT_USAGE = 1;

    private TlcLoop() {
    }

    public static void main(String[] args) throws IOException {
        BufferedReader runs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String run = runs.readLine(); run != null; run = runs.readLine()) {
            String[] parts = run.split(SEPARATOR);
            ToolIO.setUserDir(parts[0]);
            int exit = run(Arrays.copyOfRange(parts, 1, parts.length));
            System.err.flush();
            System.out.println(END + exit);
            System.out.flush();
        }
        System.exit(0); // whatever threads TLC has left
    }

    private static int run(String[] arguments) {
        TLC tlc = new TLC();
        if (!tlc.handleParameters(arguments)) {
            return EXIT_USAGE;
        }
        tlc.setResolver(new SimpleFilenameToStream());
        return EC.ExitStatus.errorConstantToExitStatus(tlc.process());
    }
}
