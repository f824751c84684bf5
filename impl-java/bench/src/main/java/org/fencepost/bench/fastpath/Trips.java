package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.fencepost.bench.fastpath.Operation.Kind;
import org.fencepost.bench.harness.Asked;
import org.fencepost.bench.harness.Rounds;

/**
 * What one operation asks of others, counted by the servers while one thread repeats it and nobody else asks for anything; what it leaves to
 * be done later counts, too.
 *
 * @param syncs      of HBase's log, for each operation, as the others
 * @param ofHBase    requests to the region server
 * @param ofManager  requests to the transaction manager
 * @param unanswered messages to it that nobody waits for
 */
record Trips(Kind kind, String system, double syncs, double ofHBase, double ofManager, double unanswered) {

    private static final int OPERATIONS = 500;
    private static final int FIRST = 50;
    /** Until nothing is left to be done. */
    private static final double AFTERWARDS_SECONDS = 1.5;
    /** What servers do of their own accord meanwhile. */
    private static final double BESIDES = 0.05;

    static List<Trips> count(FpCluster cluster, List<Operation> operations) throws IOException {
        List<Trips> all = new ArrayList<>();
        for (Operation operation : operations) {
            System.out.println("Counting the requests of " + operation.system() + ", " + operation.kind().text() + ".");
            Operation.Body body = operation.bodies().get();
            SplittableRandom random = new SplittableRandom();
            repeat(body, random, FIRST);
            Asked before = cluster.asked();
            repeat(body, random, OPERATIONS);
            Asked asked = cluster.asked().since(before);
            all.add(new Trips(operation.kind(), operation.system(), each(asked.syncs()), each(asked.ofHBase()), each(asked.ofManager()),
                    each(asked.unanswered())));
        }
        return all;
    }

    private static void repeat(Operation.Body body, SplittableRandom random, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            body.run(random);
        }
        Rounds.sleep(AFTERWARDS_SECONDS);
    }

    private static double each(long count) {
        return (double) count / OPERATIONS;
    }

    double requests() {
        return ofHBase + ofManager;
    }

    /** Empty where nothing is asked for: one sync, and three requests; two if there is no begin. */
    String verdict() {
        if (kind != Kind.WRITE || !system.equals(Operation.ONE_PHASE) && !system.equals(Operation.BLIND)) {
            return "";
        }
        int most = system.equals(Operation.BLIND) ? 2 : 3;
        return "at most 1 sync, " + most + " requests: " + (syncs > 0 && syncs <= 1 + BESIDES && requests() <= most + BESIDES ? "met" : "missed");
    }
}
