package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.Map;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;
import org.junit.jupiter.api.Test;

/** Runs of pH1 pass, whatever goes wrong, the same way each time. */
class PH1SimulationTest {

    private static final int SEEDS = Boolean.getBoolean("fencepost.test.all") ? 2_000 : 200;

    /** And every action takes place, without which their passing would say nothing. */
    @Test
    void seedsPassTwiceWithTheSameLog() {
        Carriers carriers = new Carriers();
        Map<Action, Integer> counts = new EnumMap<>(Action.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            Run run = Simulation.run(Plan.ofPH1(seed), carriers);
            assertNull(run.failure(), "seed " + seed + ": " + run.failure());
            assertEquals(run.log().text(), Simulation.run(Plan.ofPH1(seed), carriers).log().text(), "seed " + seed);
            run.log().events().stream().filter(event -> event.kind() == EventLog.Kind.action)
                    .forEach(event -> counts.merge(Action.valueOf(event.name()), 1, Integer::sum));
        }
        for (Action action : Action.OF_PH1) {
            assertTrue(counts.getOrDefault(action, 0) > 0, action + " never happened");
        }
    }
}
