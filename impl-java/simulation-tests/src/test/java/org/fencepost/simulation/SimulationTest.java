package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.PhenomenaChecker;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.torture.Campaign;
import org.fencepost.simulation.torture.Torture;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;
import org.junit.jupiter.api.Test;

/** Seeds of {@code make test}; in {@code make test-all} they are five to ten times as many. */
class SimulationTest {

    private static final boolean ALL = Boolean.getBoolean("fencepost.test.all");
    private static final int SEEDS = ALL ? 2_000 : 400;
    private static final int SEEDS_OF_MEDIATOR = ALL ? 2_000 : 400;
    private static final int SEEDS_WITH_FAST_PATH = ALL ? 1_000 : 100;
    private static final int SEEDS_OF_FRAGOLA = ALL ? 1_000 : 200;
    private static final int SEEDS_FOR_OTHER_PROCESS = 40;

    /** And what they reach, without which their passing would say nothing. */
    @Test
    void seedsPassTwiceWithTheSameLog() {
        Carriers carriers = new Carriers();
        Campaign campaign = new Campaign();
        for (long seed = 0; seed < SEEDS; seed++) {
            Run run = Torture.runTwice(Plan.of(seed), carriers);
            assertNull(run.failure(), () -> "fencepost torture " + run.plan().replayOptions() + "\n" + run.failure());
            campaign.add(run);
            if (!hasDeletes(run) && !run.plan().hasFastPath()) {
                assertEquals(List.of(), PhenomenaChecker.check(run.history()), () -> "seed " + run.plan().seed());
            }
        }
        for (Action action : EnumSet.range(Action.Begin, Action.Halt)) {
            assertTrue(campaign.count(action) > 0, action + " never happened");
        }
        for (FastAbortCause cause : FastAbortCause.values()) {
            assertTrue(campaign.count(cause) > 0, "no fast-path write was refused for " + cause);
        }
        for (Fault fault : EnumSet.complementOf(EnumSet.copyOf(Fault.OF_MEDIATOR))) {
            assertTrue(campaign.count(fault) > SEEDS / 100, fault + " happened " + campaign.count(fault) + " times");
        }
        System.out.println(SEEDS + " seeds: " + campaign.transactions());
    }

    /** In most seeds there is no fast path, so these are more. */
    @Test
    void seedsWithAFastPathPass() {
        Carriers carriers = new Carriers();
        long passed = 0;
        for (long seed = SEEDS; passed < SEEDS_WITH_FAST_PATH; seed++) {
            Plan plan = Plan.of(seed);
            if (plan.hasFastPath()) {
                Run run = Simulation.run(plan, carriers);
                assertNull(run.failure(), () -> "fencepost torture " + plan.replayOptions() + "\n" + run.failure());
                passed++;
            }
        }
    }

    /** And what they reach. */
    @Test
    void seedsOfFragolaPassTwiceWithTheSameLog() {
        Carriers carriers = new Carriers();
        Campaign campaign = new Campaign();
        for (long seed = 0; seed < SEEDS_OF_FRAGOLA; seed++) {
            Run run = Torture.runTwice(Plan.ofFragola(seed), carriers);
            assertNull(run.failure(), () -> "fencepost torture " + run.plan().replayOptions() + "\n" + run.failure());
            campaign.add(run);
        }
        for (Action action : Action.OF_FRAGOLA) {
            assertTrue(campaign.count(action) > 0, action + " never happened");
        }
    }

    /** In both modes; and what they reach. */
    @Test
    void seedsOfMediatorPassTwiceWithTheSameLog() {
        Carriers carriers = new Carriers();
        Campaign campaign = new Campaign();
        long skewed = 0;
        for (long seed = 0; seed < SEEDS_OF_MEDIATOR; seed++) {
            Run run = Torture.runTwice(Plan.ofMediator(seed), carriers);
            assertNull(run.failure(), () -> "fencepost torture " + run.plan().replayOptions() + "\n" + run.failure());
            campaign.add(run);
            skewed += run.plan().mediator().serializable || !hasWriteSkew(run.history().transactions()) ? 0 : 1;
        }
        for (Action action : Action.OF_MEDIATOR) {
            assertTrue(campaign.count(action) > 0, action + " never happened");
        }
        for (Fault fault : Fault.OF_MEDIATOR) {
            assertTrue(campaign.count(fault) > SEEDS_OF_MEDIATOR / 100, fault + " happened " + campaign.count(fault) + " times");
        }
        assertTrue(skewed > 0, "snapshot isolation never showed a write skew");
        System.out.println(SEEDS_OF_MEDIATOR + " seeds of Mediator: " + campaign.transactions() + "; write skew in " + skewed);
    }

    /** Two that committed, each without what the other one wrote, and wrote different keys. */
    private static boolean hasWriteSkew(List<HistoryTransaction> all) {
        return all.stream().anyMatch(a -> all.stream().anyMatch(b -> misses(a, b) && misses(b, a)));
    }

    private static boolean misses(HistoryTransaction reader, HistoryTransaction writer) {
        return reader.outcome() == Outcome.COMMITTED && writer.outcome() == Outcome.COMMITTED && !reader.isNative() && !writer.isNative()
                && writes(reader, writer.operations()).isEmpty() && reader.operations().stream().anyMatch(op -> op.kind() == Kind.READ
                        && op.version() < writer.commitTs() && writer.commitTs() > reader.startTs()
                        && writer.operations().stream().anyMatch(w -> w.kind() == Kind.WRITE && w.key().equals(op.key())));
    }

    /** What of these it writes, too. */
    private static List<HistoryTransaction.Operation> writes(HistoryTransaction t, List<HistoryTransaction.Operation> operations) {
        return operations.stream().filter(op -> op.kind() == Kind.WRITE && t.operations().contains(op)).toList();
    }

    private static boolean hasDeletes(Run run) {
        return run.history().transactions().stream().flatMap(t -> t.operations().stream()).anyMatch(op -> op.kind() == Kind.DELETE);
    }

    /** The drift is a promise about clocks. Broken, two managers lead at once. */
    @Test
    void clocksBeyondTheDriftAreNotTolerated() {
        Carriers carriers = new Carriers();
        Run failed = LongStream.range(0, SEEDS).mapToObj(seed -> Simulation.run(Plan.of(seed).beyondDrift(), carriers))
                .filter(Run::failed).findFirst().orElseThrow();
        assertEquals("OneLeads", failed.failure().property());
        assertTrue(failed.plan().replayOptions().contains("--beyond-drift"));
    }

    /** Java salts some of its collections anew in each process; a run must not depend on that. */
    @Test
    void anotherProcessHasTheSameLogs() throws IOException {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"),
                Digest.class.getName()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertEquals(Digest.ofLogs(), new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    /** Prints one number for many logs. */
    static final class Digest {

        public static void main(String[] args) {
            System.out.println(ofLogs());
        }

        static String ofLogs() {
            Carriers carriers = new Carriers();
            return LongStream.range(0, SEEDS_FOR_OTHER_PROCESS).mapToObj(seed -> Simulation.run(Plan.of(seed), carriers).log().text())
                    .reduce(0L, (hash, log) -> 31 * hash + log.hashCode(), Long::sum).toString();
        }
    }

    @Test
    void aSeedDecidesEverything() {
        Carriers carriers = new Carriers();
        String one = Simulation.run(Plan.of(1), carriers).log().text();
        assertEquals(one, Simulation.run(Plan.of(1), new Carriers()).log().text());
        assertFalse(one.equals(Simulation.run(Plan.of(2), carriers).log().text()));
    }

    @Test
    void aCalmRunCommitsMostTransactions() {
        Plan calm = Plan.of(3).without(List.of(Fault.values()));
        Run run = Simulation.run(calm, new Carriers());
        assertNull(run.failure());
        assertTrue(run.log().events().stream().noneMatch(event -> event.kind() == EventLog.Kind.fault));
    }
}
