package org.fencepost.clustertest;

import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.clustertest.nemesis.Nemesis;
import org.fencepost.clustertest.verdict.Histories;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.verdict.Op.Type;
import org.fencepost.clustertest.verdict.Validator;
import org.fencepost.clustertest.workload.Bank;
import org.fencepost.clustertest.workload.Invocation;
import org.fencepost.clustertest.workload.LongFork;
import org.fencepost.clustertest.workload.ManagerTime;
import org.fencepost.clustertest.workload.MortalLog;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.clustertest.workload.Workloads;
import org.junit.jupiter.api.Test;

class WorkloadsTest {

    private static List<Invocation> generate(String name, long seed) {
        Workload workload = Workloads.named(name);
        SplittableRandom random = new SplittableRandom(seed);
        List<Invocation> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(workload.next(random));
        }
        all.addAll(workload.last());
        return all;
    }

    @Test
    void theSeedDecides() {
        for (String name : Workloads.names().split(", ")) {
            assertEquals(generate(name, 7), generate(name, 7), name);
            assertTrue(name.equals("timestamps") || !generate(name, 7).equals(generate(name, 8)), name);
        }
    }

    @Test
    void whatIsGeneratedHasTheFormThatTheValidatorWants() {
        for (String name : Workloads.names().split(", ")) {
            Workload.Elle elle = Workloads.named(name).elle();
            if (elle != null) {
                Histories history = new Histories();
                long process = 0;
                for (Invocation each : generate(name, 3)) {
                    history.op(Type.info, process++, each.value(), each.value());
                }
                assertEquals(List.of(), Validator.defects(history.all(), elle.lists()), name);
            }
        }
    }

    @Test
    void fastTransactionsAreOfOneKey() {
        for (String name : List.of("list-append-mixed", "rw-register-fp", "fp-single-key", "long-fork")) {
            List<Invocation> fast = generate(name, 1).stream().filter(each -> Op.FAST.equals(each.more().get(Op.PATH))).toList();
            assertTrue(fast.size() > 100, name);
            assertTrue(fast.stream().allMatch(each -> ((List<?>) each.value()).stream().map(micro -> ((List<?>) micro).get(1)).distinct().count() == 1), name);
        }
    }

    @Test
    void nativeOperationsAreBlindAndOfOneKeyAndTransactionsMeetTheirFates() {
        List<Invocation> all = generate("native-and-transactional", 1);
        List<Invocation> natives = all.stream().filter(each -> Op.NATIVE.equals(each.more().get(Op.PATH))).toList();
        assertTrue(natives.size() > 300, () -> natives.size() + " native operations");
        assertTrue(natives.stream().allMatch(each -> ((List<?>) each.value()).size() == 1 && !each.more().containsKey(Op.FATE)));
        for (String fate : List.of(MortalLog.UNLOGGED, MortalLog.LOGGED, MortalLog.LATE)) {
            assertTrue(all.stream().anyMatch(each -> fate.equals(each.more().get(Op.FATE))), fate);
        }
    }

    @Test
    void whatTheHelperWroteBackIsCounted() {
        Histories history = new Histories();
        for (long stored : new long[] {0, 192}) {
            history.line("txn", Type.invoke, stored, txn(), Op.FATE, MortalLog.LOGGED).line("txn", Type.info, stored, txn(), Op.STORED, List.of(stored));
        }
        assertEquals(Map.of(Paths.HELPER_COMMIT, 1L), Workloads.named("native-and-transactional").counts(history.all()));
    }

    @Test
    void aNameThatIsNone() {
        assertThrows(IllegalArgumentException.class, () -> Workloads.named("list-prepend"));
        assertThrows(IllegalArgumentException.class, () -> Nemesis.requireKnown("weather"));
    }

    // ---- the workloads' own checkers

    @Test
    void aBankWhoseTotalIsWrong() {
        Map<Object, Object> balances = new LinkedHashMap<>();
        for (long account = 0; account < Bank.ACCOUNTS; account++) {
            balances.put(account, 10L);
        }
        assertEquals(List.of(), bank(balances));
        balances.put(3L, 9L);
        assertEquals(1, bank(balances).size());
        balances.put(3L, -5L);
        balances.put(4L, 25L);
        assertEquals(1, bank(balances).size(), "overdrawn");
        balances.put(3L, 10L);
        balances.put(4L, null);
        balances.put(5L, 20L);
        assertEquals(1, bank(balances).size(), "an account is missing");
    }

    private static List<String> bank(Map<Object, Object> balances) {
        return new Bank().violations(new Histories().line("read", Type.invoke, 0L, null).line("read", Type.ok, 0L, balances).all());
    }

    @Test
    void aFork() {
        Histories history = new Histories().line("read", Type.ok, 0L, txn("r", 0, 1, "r", 1, null, "r", 2, null))
                .line("read", Type.ok, 0L, txn("r", 0, 1, "r", 1, 1, "r", 2, null));
        assertEquals(List.of(), new LongFork().violations(history.all()));
        history.line("read", Type.ok, 0L, txn("r", 0, null, "r", 1, null, "r", 2, 1));
        assertEquals(2, new LongFork().violations(history.all()).size());
    }

    @Test
    void timestampsGivenTwiceOrGoingBack() {
        Histories history = new Histories().op(Type.ok, 0, null, 64L).op(Type.ok, 1, null, 128L);
        assertEquals(List.of(), new ManagerTime().violations(history.all()));
        assertEquals(1, new ManagerTime().violations(new Histories().line(Type.invoke, 0L, null).line(Type.invoke, 1L, null).line(Type.ok, 0L, 64L)
                .line(Type.ok, 1L, 64L).all()).size());
        assertEquals(1, new ManagerTime().violations(history.op(Type.ok, 0, null, 96L).all()).size());
        assertEquals(List.of(), new ManagerTime().violations(new Histories().line(Type.invoke, 0L, null).line(Type.invoke, 1L, null).line(Type.ok, 0L, 128L)
                .line(Type.ok, 1L, 64L).all()), "those at the same time may have any order");
    }

    @Test
    void writeSkewIsCounted() {
        Histories history = new Histories();
        for (long[] each : new long[][] {{1, 2}, {2, 1}}) { // both read both keys as they were in the beginning, and write one of them
            history.op(Type.ok, each[0], txn(), txn(), Op.TXN, txn("r", each[0], null, "r", each[1], null, "w", each[0], 1));
        }
        assertEquals(Map.of(Paths.WRITE_SKEW, 1L), Workloads.named("write-skew").counts(history.all()));
    }

    @Test
    void scansDuringABuildAreCounted() {
        List<List<Object>> both = List.of(List.of("scan", List.of(0L, 1L, 0L, false), List.of()), List.of("index", List.of(0L, 1L), List.of()));
        Histories history = new Histories().op(Type.ok, 0, both, both, Op.TXN, both).line("build", Type.invoke, 1L, null).line(Type.invoke, 0L, both)
                .line("build", Type.ok, 1L, 64L).line(Type.ok, 0L, both, Op.TXN, both);
        assertEquals(Map.of(Paths.SCAN, 2L, Paths.INDEX_SCAN, 2L, Paths.SCAN_DURING_BUILD, 2L), Workloads.named("index-build").counts(history.all()));
    }

    @Test
    void aPathThatWasTakenTooSeldom() {
        Paths paths = new Paths();
        paths.add(Paths.COMMIT, 5);
        assertEquals(List.of(), paths.tooSeldom(Map.of(Paths.COMMIT, 5)));
        assertEquals(List.of("the path 'commit' was taken 5 times, and 6 are asked for", "the path 'failover' was taken 0 times, and 1 are asked for"),
                paths.tooSeldom(Map.of(Paths.COMMIT, 6, Paths.FAILOVER, 1)));
        assertEquals(Map.of(Paths.COMMIT, 50, Paths.FAILOVER, 1), Paths.within(30, Map.of(Paths.COMMIT, 100, Paths.FAILOVER, 1)));
        assertEquals(Map.of(Paths.COMMIT, 100), Paths.within(300, Map.of(Paths.COMMIT, 100)));
    }
}
