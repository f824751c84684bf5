package org.fencepost.bench.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.scale.SimulatedCluster.Result;
import org.fencepost.simulation.world.Carriers;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
    private static final Costs CHEAP = new Costs(65, 150, 0.2, 50);

    private final Carriers carriers = new Carriers();

    private Result run(int servers, Costs costs) {
        return SimulatedCluster.run(servers, 16, costs, 0.2, carriers);
    }

    /** Two cores, 332 us of them for a transaction in the mean: some 6,000 a second. */
    @Test
    void serversAreTheLimitAndAddUp() {
        Result one = run(1, CHEAP);
        Result four = run(4, CHEAP);
        assertEquals(6_000, one.perSecond(), 900, one.toString());
        assertEquals(4, four.perSecond() / one.perSecond(), 0.5, four.toString());
        assertTrue(four.regionServers() > 0.9 && four.manager() < 0.05, four.toString());
    }

    /** Two requests for each transaction, a begin and a commit or an end. */
    @Test
    void aManagerThatIsSlowIsTheLimit() {
        Result one = run(1, new Costs(65, 150, 100, 50));
        Result four = run(4, new Costs(65, 150, 100, 50));
        assertEquals(5_000, one.perSecond(), 700, one.toString());
        assertEquals(5_000, four.perSecond(), 500, four.toString());
        assertTrue(four.manager() > 0.95 && four.regionServers() < 0.4, four.toString());
    }

    @Test
    void theSameRunComesToTheSame() {
        assertEquals(run(2, CHEAP), run(2, CHEAP));
    }

    @Test
    void badInputGetsOneSentence() {
        Checks.assertRefused("--servers are two numbers or more, ascending, of 1 to 1000.", new BenchScale().command(), "--servers", "1");
        Checks.assertRefused("--servers are two numbers or more, ascending, of 1 to 1000.", new BenchScale().command(), "--servers", "0,3");
        Checks.assertRefused("--servers are two numbers or more, ascending, of 1 to 1000.", new BenchScale().command(), "--servers", "3,1");
        Checks.assertRefused("--clients must be 1 to 1000.", new BenchScale().command(), "--clients", "0");
        Checks.assertRefused("--seconds must be positive, and at most 60.", new BenchScale().command(), "--seconds", "0");
        Checks.assertRefused("--read, --write, --manager and --network must be positive.", new BenchScale().command(), "--manager", "0.2,-1");
    }
}
