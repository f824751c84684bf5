package org.fencepost.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import one.profiler.AsyncProfiler;

/**
 * Runs a server's main class in this process, the same for every system, and tells what the server uses: for each line on
 * standard input, one on standard output with the time, the CPU time of the process, the bytes that its Java threads have
 * allocated, its garbage collections, and what it counts. A line that is not empty is a command for async-profiler, which is carried out first.
 * Ends the process when standard input ends, so that no server outlives its benchmark. Needs nothing but the JDK, and
 * async-profiler if it is asked for.
 */
public final class Probe {

    static final String MARK = "PROBE ";

    /** What else the server counts, by name. */
    private static final Map<String, LongSupplier> COUNTS = new ConcurrentSkipListMap<>();

    private Probe() {
    }

    /** Tells this count, too, from now on. Names have no spaces. */
    static void count(String name, LongSupplier count) {
        COUNTS.put(name, count);
    }

    public static void main(String[] arguments) throws Throwable {
        PrintStream out = System.out;
        Thread thread = new Thread(() -> answer(out), "probe");
        thread.setDaemon(true);
        thread.start();
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Where async-profiler does not work, there is no profile, and no harm done. */
    private static void profile(String command) {
        try {
            AsyncProfiler.getInstance().execute(command);
        } catch (IOException | RuntimeException | LinkageError e) {
            System.err.println("async-profiler does not work here: " + e);
        }
    }

    private static void answer(PrintStream out) {
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (!command.isEmpty()) {
                    profile(command);
                }
                long bytes = 0;
                for (long allocated : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
                    bytes += Math.max(0, allocated);
                }
                long collections = 0;
                for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                    collections += collector.getCollectionCount();
                }
                StringBuilder line = new StringBuilder(MARK + System.nanoTime() + " " + process.getProcessCpuTime() + " " + bytes + " " + collections);
                COUNTS.forEach((name, count) -> line.append(' ').append(name).append('=').append(count.getAsLong()));
                out.println(line);
                out.flush();
            }
        } catch (IOException e) {
            // the benchmark has gone
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
