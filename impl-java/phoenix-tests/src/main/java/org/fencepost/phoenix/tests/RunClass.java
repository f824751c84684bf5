package org.fencepost.phoenix.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs one class of tests in this JVM, and writes a line for each test to a file: its name, PASSED, FAILED or SKIPPED, and why, with tabs in between. */
public final class RunClass extends RunListener {

    private final Path results;
    private final Map<String, String> failures = new HashMap<>();

    private RunClass(Path results) {
        this.results = results;
    }

    /** @param arguments the file, and the class */
    public static void main(String[] arguments) throws Exception {
        JUnitCore core = new JUnitCore();
        core.addListener(new RunClass(Path.of(arguments[0])));
        core.run(Class.forName(arguments[1]));
        Runtime.getRuntime().halt(0); // HBase's threads go on
    }

    @Override
    public void testFailure(Failure failure) {
        String why = String.valueOf(failure.getException()).lines().findFirst().orElse("");
        failures.put(failure.getDescription().getDisplayName(), why);
        if (!failure.getDescription().isTest()) {
            write(failure.getDescription().getDisplayName(), "FAILED", why);
        }
    }

    @Override
    public void testIgnored(Description test) {
        write(test.getDisplayName(), "SKIPPED", "");
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        write(failure.getDescription().getDisplayName(), "SKIPPED", failure.getMessage());
    }

    @Override
    public void testFinished(Description test) {
        String why = failures.get(test.getDisplayName());
        write(test.getDisplayName(), why == null ? "PASSED" : "FAILED", why == null ? "" : why);
    }

    private void write(String test, String outcome, String why) {
        String name = test.replaceAll("\\(org\\.apache\\.phoenix[^)]*\\)$", "");
        try {
            Files.writeString(results, name + "\t" + outcome + "\t" + String.valueOf(why).replaceAll("\\s+", " ") + "\n", StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
