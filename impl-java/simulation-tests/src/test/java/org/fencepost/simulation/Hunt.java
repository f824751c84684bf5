package org.fencepost.simulation;

import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;

/** Runs seeds until one fails. A class of its own, so that a {@link MutantLoader} can call it by a plain signature. */
public final class Hunt {

    private Hunt() {
    }

    /** How many seeds it took, what failed and how the seed is replayed, with tabs between; null if none of them failed. */
    public static String run(String spec, long firstSeed, int seeds) {
        Carriers carriers = new Carriers();
        for (int i = 0; i < seeds; i++) {
            Run run = run(spec, firstSeed + i, carriers);
            if (run.failed()) {
                return (i + 1) + "\t" + run.failure().property() + "\t" + run.plan().replayOptions() + "\t" + run.failure().what().lines().findFirst().orElse("");
            }
        }
        return null;
    }

    private static Run run(String spec, long seed, Carriers carriers) {
        return switch (spec) {
            case "PH1" -> Simulation.run(Plan.ofPH1(seed), carriers);
            case "Mediator" -> Simulation.run(Plan.ofMediator(seed), carriers);
            case "IndexFence" -> Simulation.run(Plan.ofIndex(seed), carriers);
            case "Fragola" -> Simulation.run(Plan.ofFragola(seed), carriers);
            default -> Simulation.run(Plan.of(seed), carriers);
        };
    }

    /** What the trace check gets of a seed. */
    public static String trace(String protocol, long seed) {
        return Simulation.run(Plan.of(seed).traced(protocol), new Carriers()).trace();
    }
}
