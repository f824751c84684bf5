package org.fencepost.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmarks that start an HBase of their own can be told. Each sets its own defaults when it is made. */
public abstract class HBaseBenchmark extends Benchmark {

    @Option(names = "--pause-seconds", description = "Between measurements. Default: ${DEFAULT-VALUE}.")
    public double pauseSeconds;

    @Option(names = "--keys", description = "In each table. Default: ${DEFAULT-VALUE}.")
    public int keys;

    @Option(names = "--heap-mb", description = "Of HBase. Default: ${DEFAULT-VALUE}.")
    public int heapMegabytes;

    @Option(names = "--replicas", description = "DataNodes of HDFS; each has all data. Default: ${DEFAULT-VALUE}, as HDFS's.")
    public int replicas = 3;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "Another option of HBase's JVM.")
    public List<String> jvmArguments = new ArrayList<>();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    public boolean help;

    /** Java's parallel collector, as for anything that is measured by its throughput, unless the options name another. */
    public final List<String> hbaseJvm() {
        List<String> jvm = new ArrayList<>(List.of("-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m"));
        if (jvmArguments.stream().noneMatch(argument -> argument.endsWith("GC"))) {
            jvm.add("-XX:+UseParallelGC");
        }
        jvm.addAll(jvmArguments);
        return jvm;
    }

    /** As {@link #problem}, of the options that only this benchmark has. */
    protected abstract String ownProblem();

    @Override
    protected String problem() {
        if (pauseSeconds < 0) {
            return "The seconds must be positive.";
        }
        if (keys < 100 || keys > 10_000_000) {
            return "--keys must be 100 to 10000000.";
        }
        if (replicas < 1 || replicas > 5) {
            return "--replicas must be 1 to 5.";
        }
        if (heapMegabytes < 512) {
            return "--heap-mb must be at least 512.";
        }
        if (heapMegabytes > mostHeap()) {
            return "--heap-mb is at most " + mostHeap() + " here, three quarters of the machine's memory.";
        }
        return ownProblem();
    }

    /** In MB; the other processes need the rest. */
    public static long mostHeap() {
        return (((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize() >> 20) * 3 / 4;
    }

    /** These, and others of the benchmark's own, as a JSON object. */
    public String settings(Object... namesAndValues) {
        List<Object> all = new ArrayList<>(List.of(namesAndValues));
        all.addAll(List.of("pauseSeconds", pauseSeconds, "keys", keys, "replicas", replicas, "hbaseJvm", String.join(" ", hbaseJvm())));
        return Json.object(all.toArray());
    }
}
