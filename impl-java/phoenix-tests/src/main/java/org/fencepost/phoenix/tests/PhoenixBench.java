package org.fencepost.phoenix.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures SQL transactions on Fencepost beside Apache Omid. Each has an HBase with clients in a JVM of its own; they take turns, in the opposite order in every second
 * round. Apache Omid is as Phoenix's own tests start it: its commit table is in the manager's memory and costs it nothing.
 */
@Command(name = "bench-phoenix", description = "Measures upserts with an index, point queries, aggregates and the building of an index, on Fencepost and on Apache Omid by"
        + " turns.", sortOptions = false, mixinStandardHelpOptions = true)
public final class PhoenixBench implements Callable<Integer> {

    @Option(names = "--home", required = true, description = "The folder impl-java/phoenix-tests, built.")
    Path home;

    @Option(names = "--out", required = true, description = "A folder for results and logs.")
    Path out;

    @Option(names = "--rounds", defaultValue = "8", description = "Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(names = "--seconds", defaultValue = "5", description = "Of each turn of each job. Default: ${DEFAULT-VALUE}.")
    int seconds;

    @Option(names = "--warm-up-rounds", defaultValue = "2", description = "Not counted. Default: ${DEFAULT-VALUE}.")
    int warmUp;

    @Option(names = "--threads", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}.")
    int threads;

    private final StringBuilder csv = new StringBuilder("round,job,system,microseconds,committed,conflicts,median_us,p99_us\n");
    private final Map<BenchWorker.Job, Map<Subject, List<double[]>>> results = new EnumMap<>(BenchWorker.Job.class);

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PhoenixBench()).execute(arguments));
    }

    /** A contender's process. */
    private record Worker(Process process, BufferedReader lines, PrintWriter commands) {

        String answer() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(BenchWorker.ANSWER)) {
                    return line.substring(BenchWorker.ANSWER.length());
                }
            }
            throw new IOException("A contender has ended; its log says why.");
        }

        String ask(String command) throws IOException {
            commands.println(command);
            return answer();
        }
    }

    @Override
    public Integer call() throws Exception {
        if (rounds < 1 || seconds < 1 || warmUp < 0 || threads < 1) {
            throw new IllegalArgumentException("--rounds, --seconds and --threads are at least 1, and --warm-up-rounds is at least 0.");
        }
        Map<Subject, Worker> workers = new EnumMap<>(Subject.class);
        try {
            for (Subject subject : Subject.values()) {
                System.err.println("Starting " + subject + ".");
                workers.put(subject, start(subject));
            }
            for (Worker each : workers.values()) {
                each.answer();
            }
            for (int round = -warmUp; round < rounds; round++) {
                long begin = System.nanoTime();
                round(round, workers);
                System.err.println((round < 0 ? "Warming up" : "Round " + (round + 1) + " of " + rounds) + ": " + (System.nanoTime() - begin) / 1_000_000_000 + " s");
            }
        } finally {
            for (Worker each : workers.values()) {
                each.process().destroyForcibly().waitFor();
            }
        }
        Files.writeString(out.resolve("bench-phoenix.csv"), csv);
        String table = table();
        Files.writeString(out.resolve("bench-phoenix.txt"), table);
        System.out.print(table);
        return 0;
    }

    private Worker start(Subject subject) throws IOException {
        Path folder = Files.createDirectories(out.resolve(subject.name().toLowerCase()).toAbsolutePath());
        Files.deleteIfExists(folder.resolve("conf/hbase-site.xml"));
        Process process = new ProcessBuilder(subject.command(home.toAbsolutePath(), folder, BenchWorker.class)).directory(folder.toFile())
                .redirectError(folder.resolve("log.txt").toFile()).start();
        return new Worker(process, process.inputReader(), new PrintWriter(process.outputWriter(), true));
    }

    private void round(int round, Map<Subject, Worker> workers) throws IOException {
        List<Subject> order = new ArrayList<>(List.of(Subject.values()));
        if (round % 2 != 0) {
            Collections.reverse(order);
        }
        for (BenchWorker.Job job : BenchWorker.Job.values()) {
            for (Subject subject : order) {
                String answer = workers.get(subject).ask(job + " " + threads + " " + seconds * 1000);
                if (round >= 0) {
                    csv.append(round + 1).append(',').append(job.name().toLowerCase()).append(',').append(subject.name().toLowerCase()).append(',')
                            .append(answer.replace(' ', ',')).append('\n');
                    String[] fields = answer.split(" ");
                    double micros = Double.parseDouble(fields[0]);
                    results.computeIfAbsent(job, absent -> new EnumMap<>(Subject.class)).computeIfAbsent(subject, absent -> new ArrayList<>())
                            .add(new double[] {micros, Double.parseDouble(fields[1]) * 1e6 / micros, Double.parseDouble(fields[3]), Double.parseDouble(fields[4])});
                }
            }
        }
    }

    /** Medians with quartiles of the ratios within each round. */
    private String table() {
        StringBuilder table = new StringBuilder("| job, " + threads + " threads | Fencepost | Apache Omid | Fencepost to Apache Omid |\n|---|---|---|---|\n");
        results.forEach((job, bySubject) -> {
            List<double[]> ours = bySubject.get(Subject.FENCEPOST);
            List<double[]> omids = bySubject.get(Subject.OMID);
            if (job == BenchWorker.Job.INDEX) {
                row(table, "index of " + BenchWorker.ROWS + " rows built, ms", ours, omids, 0, 1e-3);
                row(table, "upserts meanwhile, p99, ms", ours, omids, 3, 1e-3);
            } else {
                row(table, job.name().toLowerCase() + ", transactions per second", ours, omids, 1, 1);
                row(table, job.name().toLowerCase() + ", median, ms", ours, omids, 2, 1e-3);
            }
        });
        return table.toString();
    }

    private static void row(StringBuilder table, String what, List<double[]> ours, List<double[]> omids, int field, double unit) {
        double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i)[field] / omids.get(i)[field];
        }
        table.append(String.format("| %s | %.2f | %.2f | %.2f (%.2f to %.2f) |%n", what, unit * quantile(column(ours, field), 0.5), unit * quantile(column(omids, field), 0.5),
                quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75)));
    }

    private static double[] column(List<double[]> rows, int field) {
        return rows.stream().mapToDouble(row -> row[field]).toArray();
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double at = share * (sorted.length - 1);
        int low = (int) at;
        return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
    }
}
