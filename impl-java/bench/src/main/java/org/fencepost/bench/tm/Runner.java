package org.fencepost.bench.tm;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.harness.Usage;
import org.fencepost.bench.load.Generator;
import org.fencepost.bench.load.Load;
import org.fencepost.bench.load.Scenario;

/**
 * The order of the measurements. For each scenario: pairs of runs at saturation, the systems one after the other and every
 * second time in the opposite order; then, at rates that follow from the medians of these, pairs of runs for the latency:
 * each system at half of its own saturation, and ours once more at half of Apache Omid's in low-latency mode.
 */
final class Runner {

    static final String SATURATION = "saturation";
    static final String HALF = "half";
    static final String EQUAL = "equal";
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final BenchTm options;
    private final List<Servers.Target> targets;
    private final List<Measurement> done = new ArrayList<>();

    Runner(BenchTm options, List<Servers.Target> targets) {
        this.options = options;
        this.targets = targets;
    }

    List<Measurement> run(List<Scenario> scenarios) throws IOException {
        for (Servers.Target target : targets) {
            warmUp(target, scenarios);
        }
        for (Scenario scenario : scenarios) {
            System.out.println();
            System.out.println(scenario);
            for (int pair = 1; pair <= options.pairs; pair++) {
                for (Servers.Target target : Rounds.inTurn(pair, targets)) {
                    measure(target, scenario, SATURATION, pair, Load.closed(scenario, options.connections, options.outstanding));
                }
            }
            for (int pair = 1; pair <= options.pairs; pair++) {
                for (Servers.Target target : Rounds.inTurn(pair, targets)) {
                    measure(target, scenario, HALF, pair, open(scenario, target.name()));
                    if (target.name().equals(Servers.FENCEPOST) && targets.stream().anyMatch(other -> other.name().equals(Servers.OMID_LL))) {
                        measure(target, scenario, EQUAL, pair, open(scenario, Servers.OMID_LL));
                    }
                }
            }
        }
        return done;
    }

    private Load open(Scenario scenario, String saturated) {
        return Load.open(scenario, options.connections, median(done, saturated, scenario, SATURATION, Measurement::tps) / 2);
    }

    /** In both loops and all scenarios, so that compilers have seen everything. */
    private void warmUp(Servers.Target target, List<Scenario> scenarios) throws IOException {
        System.out.println("Warming up " + target.name() + ".");
        double each = options.warmUpSeconds / scenarios.size() / 2;
        for (Scenario scenario : scenarios) {
            Measurement closed = run(target, scenario, "warm-up", 0, Load.closed(scenario, options.connections, options.outstanding), each);
            run(target, scenario, "warm-up", 0, Load.open(scenario, options.connections, closed.tps() / 4), each);
        }
    }

    private void measure(Servers.Target target, Scenario scenario, String phase, int pair, Load load) throws IOException {
        Measurement result = run(target, scenario, phase, pair, load, options.seconds);
        done.add(result);
        System.out.println(line(result));
    }

    private Measurement run(Servers.Target target, Scenario scenario, String phase, int pair, Load load, double seconds) throws IOException {
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (Generator generator = new Generator(target.address(), target.protocols(), load)) {
            generator.start();
            Rounds.sleep(options.settleSeconds);
            generator.record(load.isOpen());
            long ended = generator.ended();
            long aborted = generator.aborted();
            long nanos = System.nanoTime();
            long cpu = process.getProcessCpuTime();
            Usage before = target.process().usage();
            do { // a server that does not get its core may need longer for the first
                Rounds.sleep(seconds);
            } while (generator.ended() == ended && System.nanoTime() - nanos < PATIENCE_NANOS);
            ended = generator.ended() - ended;
            aborted = generator.aborted() - aborted;
            nanos = System.nanoTime() - nanos;
            cpu = process.getProcessCpuTime() - cpu;
            Usage after = target.process().usage();
            generator.record(false);
            generator.stop();
            if (ended == 0) {
                throw new IllegalStateException("The server " + target.name() + " ended no transaction in " + nanos / 1_000_000_000 + " s.");
            }
            double tps = ended * 1e9 / nanos;
            double serverNanos = after.nanos() - before.nanos();
            double requests = 2 * tps * serverNanos / 1e9;
            Histogram latency = load.isOpen() ? generator.latency() : null;
            return new Measurement(target.name(), scenario, phase, pair, load.rate(), tps, (double) aborted / ended, micros(latency, 50),
                    micros(latency, 99), micros(latency, 99.9), micros(load.isOpen() ? generator.lateness() : null, 99), generator.setAside(),
                    (after.cpuNanos() - before.cpuNanos()) / 1e9 / requests * 1e6, (after.bytes() - before.bytes()) / requests,
                    after.collections() - before.collections(), (after.cpuNanos() - before.cpuNanos()) / serverNanos, (double) cpu / nanos);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(target.name() + ", " + scenario + ", " + phase + ": " + e.getMessage(), e);
        }
    }

    private static double micros(Histogram histogram, double percentile) {
        return histogram == null ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1e3;
    }

    private static String line(Measurement m) {
        String figures = m.phase().equals(SATURATION)
                ? String.format(Locale.ROOT, "%,9.0f tps, %5.1f%% aborts, %6.2f CPU s and %7.1f B per M and per request; server %3.0f%% busy, generator %3.0f%%%s",
                        m.tps(), 100 * m.aborts(), m.cpuPerMillion(), m.bytes(), 100 * m.serverBusy(), 100 * m.generatorBusy(), m.lowerBound() ? ": a lower bound" : "")
                : String.format(Locale.ROOT, "%,9.0f tps, p50 %,7.0f us, p99 %,8.0f us, p99.9 %,8.0f us; server %3.0f%% busy, posted late by %,.0f us (p99), %.1f%% set aside",
                        m.tps(), m.p50(), m.p99(), m.p999(), 100 * m.serverBusy(), m.late99(), 100 * m.setAside());
        return String.format(Locale.ROOT, "  %2d %-10s %-12s ", m.pair(), m.phase(), m.system()) + figures;
    }

    static double median(List<Measurement> all, String system, Scenario scenario, String phase, ToDoubleFunction<Measurement> figure) {
        return Spread.of(all.stream().filter(m -> m.system().equals(system) && m.scenario().equals(scenario) && m.phase().equals(phase))
                .mapToDouble(figure)).median();
    }
}
