package org.fencepost.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where and on what the figures were measured. */
public record Machine(String processor, int cores, String system, String java, String commit, String time) {

    public static Machine describe() {
        return new Machine(readProcessor(), countCores(), System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"), readCommit(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** Of the machine, not of those that this process may use. */
    public static int countCores() {
        try (var cpus = Files.newDirectoryStream(Path.of("/sys/devices/system/cpu"), "cpu[0-9]*")) {
            int count = 0;
            for (Path ignored : cpus) {
                count++;
            }
            return count;
        } catch (IOException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    private static String readProcessor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream().filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor";
        }
    }

    private static String readCommit() {
        String commit = git("rev-parse", "--short=12", "HEAD");
        return commit.isEmpty() ? "unknown" : commit + (git("status", "--porcelain", "--untracked-files=no").isEmpty() ? "" : " and changes");
    }

    private static String git(String... arguments) {
        try {
            String[] command = new String[arguments.length + 1];
            command[0] = "git";
            System.arraycopy(arguments, 0, command, 1, arguments.length);
            return new String(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start().getInputStream().readAllBytes()).strip();
        } catch (IOException e) {
            return "";
        }
    }

    String json() {
        return Json.object("processor", processor, "cores", cores, "system", system, "java", java, "commit", commit, "time", time);
    }

    @Override
    public String toString() {
        return processor + ", " + cores + " cores, " + system + ", " + java + ", commit " + commit + ", " + time;
    }
}
