package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * Where the CPU time of turns went. {@code Probe} has async-profiler take a sample of each millisecond of CPU time of a process, the
 * kernel's included. A sample is a thread and its stack, and is counted for the first part whose pattern it matches, and besides if
 * it was the kernel stopping and waking threads.
 */
final class Profile {

    /**
     * What one part of a process took.
     *
     * @param share     of the samples of its process in these turns
     * @param switching share of the part's own samples in which the kernel stopped or woke a thread
     */
    record Part(Scene scene, String system, String process, String part, long samples, double share, double switching) {
    }

    private record Key(Scene scene, String system, String process, String part) {
    }

    private static final class Count {
        private long samples;
        private long switching;
    }

    static final String HBASE = "HBase";
    static final String MANAGER = "transaction manager";
    static final String CLIENT = "client";

    static final String START = "start,event=cpu,interval=1ms,threads";
    private static final String REST = "rest";
    private static final String CLIENTS_CALL = "bench/mix/\\w*Contender[^;]*\\.";

    /** Threads are the first frames, in brackets. */
    private static final Map<String, Pattern> PARTS = patterns(
            "compiler", "^\\[C[12] Compiler",
            "garbage collection", "^\\[(GC|G1|VM Thread)",
            "HDFS", "^\\[(DataXceiver|PacketResponder|DataStreamer|ResponseProcessor|IPC |Async disk|FSEditLog)",
            "write-ahead log", "^\\[AsyncFSWAL",
            "flushes, compactions", "^\\[(MemStoreFlusher|RS_COMPACT|RegionServer.*(long|short)Compactions)|MemStoreFlusher|HRegion\\.compact",
            "HBase's network", "^\\[RS-EventLoopGroup",
            "commit table", "CommitTableGuard|OmidLowLatency",
            "reads", "RSRpcServices\\.(get|scan);",
            "writes", "RSRpcServices\\.(mutate|multi);",
            "handlers between requests", "^\\[RpcServer",
            "post-commit", "PostCommit|fencepost-postcommit|fencepost-commit-table",
            "transaction manager's client", "^\\[(tm-client|tsoclient|tso-client)|fencepost/tm/client/PrimaryLink",
            "HBase's client, network", "^\\[RPCClient",
            "caller: begin", CLIENTS_CALL + "begin;",
            "caller: reads", CLIENTS_CALL + "read;",
            "caller: writes", CLIENTS_CALL + "write;",
            "caller: commit", CLIENTS_CALL + "commit;");
    private static final Pattern SWITCHING = Pattern.compile(
            "^(finish_task_switch|_raw_spin_unlock_irq|futex_|__futex|try_to_wake|__schedule|schedule|ttwu|select_task|enqueue_task|dequeue_task|pick_next).*_\\[k]$");

    private final Map<Key, Count> counts = new LinkedHashMap<>();

    private static Map<String, Pattern> patterns(String... namesAndPatterns) {
        Map<String, Pattern> patterns = new LinkedHashMap<>();
        for (int i = 0; i < namesAndPatterns.length; i += 2) {
            patterns.put(namesAndPatterns[i], Pattern.compile(namesAndPatterns[i + 1]));
        }
        return patterns;
    }

    static String stop(Path file) {
        return "stop,collapsed,threads,file=" + file;
    }

    /** Adds a file of {@link #stop}, whose lines are {@code [thread];frame;...;frame count}, and deletes it. */
    void add(Scene scene, String system, String process, Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            int space = line.lastIndexOf(' ');
            String stack = line.substring(0, space) + ";";
            long samples = Long.parseLong(line.substring(space + 1));
            boolean switching = SWITCHING.matcher(line.substring(line.lastIndexOf(';', space) + 1, space)).matches();
            add(scene, system, process, part(stack), samples, switching ? samples : 0);
        }
        Files.delete(file);
    }

    void add(Scene scene, String system, String process, String part, long samples, long switching) {
        Count count = counts.computeIfAbsent(new Key(scene, system, process, part), key -> new Count());
        count.samples += samples;
        count.switching += switching;
    }

    private static String part(String stack) {
        return PARTS.entrySet().stream().filter(part -> part.getValue().matcher(stack).find()).map(Map.Entry::getKey).findFirst().orElse(REST);
    }

    /** The larger ones of a process first. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        counts.forEach((key, count) -> {
            long all = counts.entrySet().stream().filter(other -> of(other.getKey()).equals(of(key))).mapToLong(other -> other.getValue().samples).sum();
            parts.add(new Part(key.scene, key.system, key.process, key.part, count.samples, (double) count.samples / all, (double) count.switching / count.samples));
        });
        Function<Part, String> process = part -> part.scene() + part.system() + part.process();
        List<String> order = parts.stream().map(process).distinct().toList();
        parts.sort(Comparator.<Part>comparingInt(part -> order.indexOf(process.apply(part))).thenComparing(Part::samples, Comparator.reverseOrder()));
        return parts;
    }

    private static List<Object> of(Key key) {
        return List.of(key.scene, key.system, key.process);
    }

    /** Nothing if there was no profile. */
    String text() {
        StringBuilder out = new StringBuilder();
        Object before = null;
        for (Part part : parts()) {
            String process = part.scene() + ": " + part.process() + " of " + part.system();
            out.append(process.equals(before) ? "" : String.format(Locale.ROOT, "%n%-60s CPU time   of it switching threads%n", process))
                    .append(String.format(Locale.ROOT, "  %-58s %5.1f%%     %5.1f%%%n", part.part(), 100 * part.share(), 100 * part.switching()));
            before = process;
        }
        return out.toString();
    }
}
