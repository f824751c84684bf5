package org.fencepost.bench.scale;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Benchmark;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.scale.SimulatedCluster.Result;
import org.fencepost.simulation.world.Carriers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Simulates clusters of more and more servers. Nothing is measured here: what a request costs is given. */
@Command(name = "bench-scale", sortOptions = false, usageHelpWidth = 110, description = "Omid LL under workload A on simulated clusters, in virtual time.")
final class BenchScale extends Benchmark {

    private static final int LEFT = 40;
    private static final int PANEL = 620;
    private static final int HEIGHT = 300;

    /** Transactions a second at the foot and the head of the plot. */
    private static final double LEAST = 1_000;
    private static final double MOST = 1_000_000;

    @Option(names = "--out", defaultValue = "target/bench-scale", paramLabel = "DIR", description = "For the results. Default: ${DEFAULT-VALUE}.")
    private Path out;

    @Option(names = "--servers", split = ",", defaultValue = "1,3,10,30,100", paramLabel = "NUMBER", description = "Region servers of two cores. Default: ${DEFAULT-VALUE}.")
    private List<Integer> servers;

    @Option(names = "--clients", defaultValue = "24", description = "For each server, one transaction after the other. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(names = "--seconds", defaultValue = "0.1", description = "Of virtual time. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--read", defaultValue = "65", paramLabel = "MICROS", description = "A region server's CPU time for a read. Default: ${DEFAULT-VALUE}.")
    private double read;

    @Option(names = "--write", defaultValue = "150", paramLabel = "MICROS", description = "The same for each of a write's four requests. Default: ${DEFAULT-VALUE}.")
    private double write;

    @Option(names = "--manager", split = ",", defaultValue = "0.2,4.7", paramLabel = "MICROS",
            description = "A request's CPU time at the transaction manager; all are tried. Default: ${DEFAULT-VALUE}.")
    private List<Double> manager;

    @Option(names = "--network", defaultValue = "50", paramLabel = "MICROS", description = "One way. Default: ${DEFAULT-VALUE}.")
    private double network;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    private boolean help;

    public static void main(String[] arguments) {
        System.exit(new BenchScale().command().execute(arguments));
    }

    @Override
    protected String problem() {
        if (servers.size() < 2 || servers.get(0) < 1 || !servers.equals(servers.stream().sorted().distinct().toList()) || servers.get(servers.size() - 1) > 1_000) {
            return "--servers are two numbers or more, ascending, of 1 to 1000.";
        }
        if (clients < 1 || clients > 1_000) {
            return "--clients must be 1 to 1000.";
        }
        if (!(seconds > 0 && seconds <= 60)) {
            return "--seconds must be positive, and at most 60.";
        }
        if (!(read > 0 && write > 0 && network > 0) || manager.stream().anyMatch(micros -> !(micros > 0))) {
            return "--read, --write, --manager and --network must be positive.";
        }
        return null;
    }

    @Override
    protected void run(Machine machine) throws IOException {
        Carriers carriers = new Carriers();
        List<List<String>> rows = new ArrayList<>();
        Svg svg = new Svg(LEFT + PANEL + 360, Svg.TOP + HEIGHT, PANEL);
        svg.title("Omid LL under workload A, simulated: transactions a second by region servers", machine);
        Svg.Axis axis = svg.axis(LEFT, servers.get(0), servers.get(servers.size() - 1));
        axis.draw("", servers.stream().map(n -> (double) n).toList(), servers.stream().map(n -> n + (n == 1 ? " server" : " servers")).toList());
        for (int i = 0; i < manager.size(); i++) {
            Costs costs = new Costs(read, write, manager.get(i), network);
            List<double[]> points = new ArrayList<>();
            Result last = null;
            for (int number : servers) {
                last = SimulatedCluster.run(number, clients, costs, seconds, carriers);
                rows.add(row(costs, last));
                points.add(new double[] {axis.x(number), y(last.perSecond())});
                System.out.println(String.join("  ", rows.get(rows.size() - 1)));
            }
            svg.lines(points, List.of(Svg.OURS, Svg.LL, Svg.PLAIN).get(i % 3));
            svg.text(LEFT + PANEL + 10, (int) y(last.perSecond()) + 4, "dim", String.format(Locale.ROOT, "%,.0f: %s us a request at the manager", last.perSecond(), manager.get(i)));
        }
        ResultFiles.write(out, "bench-scale", machine, "manager_us,servers,per_s,mean_us,region_servers_busy,manager_busy", rows,
                String.format(Locale.ROOT, "{\"read_us\": %s, \"write_us\": %s, \"network_us\": %s, \"clients\": %d, \"seconds\": %s}", read, write, network, clients, seconds), Map.of(), svg.end());
    }

    private static double y(double perSecond) {
        return Svg.TOP + HEIGHT * (1 - Math.log(perSecond / LEAST) / Math.log(MOST / LEAST));
    }

    private static List<String> row(Costs costs, Result result) {
        return List.of(Double.toString(costs.manager()), Integer.toString(result.servers()), String.format(Locale.ROOT, "%.0f", result.perSecond()),
                String.format(Locale.ROOT, "%.0f", result.meanMicros()), String.format(Locale.ROOT, "%.3f", result.regionServers()),
                String.format(Locale.ROOT, "%.3f", result.manager()));
    }
}
