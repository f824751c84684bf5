package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.TlaValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.TLCState;
import tlc2.tool.impl.FastTool;
import util.SimpleFilenameToStream;

/** The translator understands a specification as TLC does, and says so where it does not understand it. */
@Timeout(300)
class TranslatorTest {
    private static final Path SPECS = Path.of("../../specs");
    private static final int WALKS = 6;
    private static final int LENGTH = 30;
    /** To what a walk without aim seldom comes. */
    private static final List<List<String>> IN_OMID_LL =
            List.of(List.of("Begin", "Write", "RequestCommit", "Evict"),
                    List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"), List.of("Begin", "Write", "ReadOwnWrite"),
                    List.of("Begin", "DelayPut", "RetryPut"),
                    List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover"),
                    List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "InvalidatePending", "ReReadRecord", "GetRecord", "RequestCommit",
                            "WriteCommitEntry", "CleanUp"),
                    List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "GetRecord", "GetCommitEntry", "HealCommitCell"),
                    List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry",
                            "InvalidatePending", "ReReadRecord", "RemoveFalseInvalidation"),
                    List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry", "Begin", "Write", "RequestCommit",
                            "WriteCommitEntry", "PostCommit", "RaiseWatermark", "CollectVersion"),
                    List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry", "Crash", "RaiseWatermark", "HealLeftover", "CollectEntry",
                            "CollectTombstone"));
    private static final List<List<String>> IN_TM_FAILOVER =
            List.of(elected("Tick", "Halt"), elected("Tick", "RenewLease", "WriteLease", "HoldLease"),
                    elected("ExtendEpoch", "SwapMaxTs", "HoldEpoch", "AskBegin", "Receive", "Begin", "ReceiveBegin", "AskCommit", "Receive", "RequestCommit", "ReceiveCommit",
                            "WriteCommitEntry"),
                    elected("ExtendEpoch", "SwapMaxTs", "HoldEpoch", "AskBegin", "Receive", "Begin", "ReceiveBegin", "AskCommit", "LoseCommitAnswer"),
                    elected("Tick", "RenewLease", "LoseAnswer", "LateLeaseWrite"), elected("ExtendEpoch", "LoseAnswer", "LateSwap"),
                    elected("ExtendEpoch", "LoseAnswer", "LateSwap", "ExtendEpoch", "SwapMaxTs", "FindEpoch"),
                    elected("ExtendEpoch", "LoseAnswer", "LateSwap", "ExtendEpoch", "SwapMaxTs", "TakeOverAgain"));

    private static final List<List<String>> IN_FRAGOLA = List.of(List.of("Begin", "EndReadOnly"), List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"),
            List.of("Begin", "Write", "ReadOwnWrite"), List.of("Begin", "DelayPut", "RetryPut"), List.of("Begin", "DelayPut", "LatePut"),
            List.of("Begin", "Write", "Rollback", "CleanUp"),
            List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover", "CollectEntry"),
            List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "InvalidatePending", "ReReadRecord"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "GetRecord", "GetCommitEntry", "HealCommitCell"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "PostCommit"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "Crash", "RaiseWatermark", "HealLeftover"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "Write", "RequestCommit", "WriteCommitEntry", "RaiseWatermark", "CollectVersion"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "RaiseWatermark", "CollectTombstone"),
            List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry"));

    /** Comes to its end only if both write the same key and the watermark passes both. */
    private static final List<String> ONE_OVER_THE_OTHER =
            List.of("CommitBlindly", "AcceptBatch", "StoreBatch", "CommitBlindly", "AcceptBatch", "StoreBatch", "RaiseWatermark", "CollectVersion");
    /** The actions of Omid LL, with what a read does before it, and those of a batch; each key is a region. */
    private static final List<List<String>> IN_ONE_PHASE = List.of(List.of("Begin", "EndReadOnly"), List.of("Begin", "BufferWrite", "BufferWrite", "TakeLongWay"),
            List.of("Begin", "BufferWrite", "RequestCommit", "AcceptBatch", "StoreBatch"), List.of("CommitBlindly", "LoseBatchAnswer", "ResolveBatch"),
            List.of("CommitBlindly", "LoseBatchAnswer", "LateBatch"), List.of("CommitBlindly", "Evict"), List.of("Failover"), List.of("CrashServer"),
            List.of("MoveRegion", "BootstrapClock"), List.of("Begin", "CommitBlindly", "AcceptBatch", "StoreBatch", "RefusePut"),
            List.of("CommitBlindly", "Begin", "BumpClock", "RefuseBatch", "RetryPut"), List.of("CommitBlindly", "AcceptBatch", "StoreBatch", "RaiseWatermark", "CollectTombstone"),
            List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"), List.of("Begin", "Write", "ReadOwnWrite"), List.of("Begin", "DelayPut", "LatePut"),
            List.of("Begin", "Write", "Rollback", "CleanUp"), List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "BumpClock", "AwaitInFlight", "GetRecord", "GetCommitEntry", "HealCommitCell"),
            List.of("Begin", "Write", "Begin", "BumpClock", "AwaitInFlight", "GetRecord", "GetCommitEntry", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry",
                    "InvalidatePending", "ReReadRecord", "RemoveFalseInvalidation"),
            ONE_OVER_THE_OTHER, ONE_OVER_THE_OTHER, ONE_OVER_THE_OTHER,
            List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry", "Crash", "RaiseWatermark", "HealLeftover", "CollectEntry"));

    private static List<String> elected(String... then) {
        return Stream.concat(Stream.of("ObserveLease", "Tick", "Tick", "AcquireLease", "WriteLease", "TakeOver"), Stream.of(then)).toList();
    }

    @TempDir
    Path folder;

    /**
     * On a walk through states with deaths, late messages, evictions, collections and deletes, TLC's successors and the translator's are the same,
     * for each action. In each state the translated invariant holds; and each action is taken, so that no obligation is proved for want of steps.
     */
    @Test
    void omidLLMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("OmidLL", IN_OMID_LL, Set.of("Init", "Lemmas", "ByInduction", "Consequences", "Promises"));
    }

    /** On a walk through elections, renewals, lost answers and deaths. */
    @Test
    @Tag("long")
    void tmFailoverMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("TMFailover", IN_TM_FAILOVER, Set.of("Init", "Lemmas", "Promises"));
    }

    /** With the names of an instance for what is the same as in Omid LL. */
    @Test
    @Tag("long")
    void fragolaMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("Fragola", IN_FRAGOLA, Set.of("Init", "Promises"));
    }

    /** With two instances, a set of regions that are sets of keys, a function with an empty domain, and choices out of sets. */
    @Test
    @Tag("long")
    void onePhaseMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("OnePhase", IN_ONE_PHASE, Set.of("Init", "Lemmas", "ByInduction", "Consequences", "Promises"));
    }

    private void eachActionMeansWhatItMeansToTlc(String name, List<List<String>> paths, Set<String> noActions) throws IOException {
        Small.World world = Small.World.of(name, Small.World.of(SPECS.resolve("proof"), name).get(Set.of("Fragola", "OnePhase").contains(name) ? 1 : 0).text().replace("numbers: 0..2", "numbers: 0..8").replace("Lease = 2", "Lease = 1"));
        String module = name + "Inv";
        Files.copy(SPECS.resolve("proof/" + module + ".tla"), folder.resolve(module + ".tla"));
        Files.writeString(folder.resolve(module + ".cfg"), "SPECIFICATION Spec\n" + world.text());
        Specification spec = Specification.read(SPECS.resolve("proof/" + name + "Inv.tla"), List.of(SPECS), Map.of());
        FastTool tlc = new FastTool(folder.toAbsolutePath().toString(), module, module, new SimpleFilenameToStream(new String[] {folder.toAbsolutePath() + "/", SPECS.toAbsolutePath() + "/"}));
        TLCState first = tlc.getInitStates().elementAt(0);
        try (Context z3 = new Context()) {
            Small small = new Small(world, spec, z3, true);
            List<Steps.Branch> begins = new Steps(small.translator).initial("Init");
            assertEquals(1, begins.size());
            assertEquals(told(TlcStates.values(first)), told(small, begins.get(0).after()));
        }
        Map<String, Integer> taken = new TreeMap<>();
        Random random = new Random(7);
        for (List<String> path : paths) {
            for (int attempt = 0; attempt < 12 && !taken.containsKey(path.get(path.size() - 1)); attempt++) {
                walk(world, spec, tlc, first, path, random, taken);
            }
        }
        for (int i = 0; i < WALKS; i++) {
            walk(world, spec, tlc, first, List.of(), random, taken);
        }
        Set<String> never = new TreeSet<>(new Proof(spec, 0, 0).parts());
        never.removeAll(taken.keySet());
        assertEquals(noActions, never, taken.toString());
    }

    /** From the first state on along a path, or to wherever the actions lead that were taken least. */
    private static void walk(Small.World world, Specification spec, FastTool tlc, TLCState first, List<String> path, Random random, Map<String, Integer> taken) {
        TLCState state = first;
        for (int i = 0; i < (path.isEmpty() ? LENGTH : path.size()); i++) {
            Map<String, List<TLCState>> byTlc = new TreeMap<>();
            for (Action action : tlc.getActions()) {
                StateVec next = tlc.getNextStates(action, state);
                for (int n = 0; n < next.size(); n++) {
                    byTlc.computeIfAbsent(action.getName().toString(), a -> new ArrayList<>()).add(next.elementAt(n));
                }
            }
            try (Context z3 = new Context()) {
                compare(new Small(world, spec, z3, true), TlcStates.values(state), byTlc);
            }
            String action = !path.isEmpty() ? path.get(i)
                    : byTlc.keySet().stream().min(Comparator.comparing(a -> taken.getOrDefault(a, 0) + 2 * random.nextInt(3))).orElse(null);
            if (action == null || !byTlc.containsKey(action)) {
                return;
            }
            taken.merge(action, 1, Integer::sum);
            state = byTlc.get(action).get(random.nextInt(byTlc.get(action).size()));
        }
    }

    private static void compare(Small small, Map<String, TlaValue> values, Map<String, List<TLCState>> byTlc) {
        Translator.State now = small.state(values);
        small.translator.conjuncts("Inductive").forEach((name, node) -> assertTrue(isTrue(small.translator.formula(node, small.translator.env(now))), name));
        Map<String, Set<String>> expected = new TreeMap<>();
        byTlc.forEach((action, states) -> expected.put(action, new TreeSet<>(states.stream().map(s -> told(TlcStates.values(s))).toList())));
        Map<String, Set<String>> found = new TreeMap<>();
        Steps steps = new Steps(small.translator);
        for (Steps.Action action : steps.actions("Next", now)) {
            for (Steps.Branch branch : steps.branches(action)) {
                if (branch.guards().stream().allMatch(TranslatorTest::isTrue)) {
                    found.computeIfAbsent(action.name(), a -> new TreeSet<>()).add(told(small, branch.after()));
                }
            }
        }
        assertEquals(expected, found);
    }

    private static String told(Small small, Translator.State state) {
        return told(small.values(state, known -> {
            Expr<?> value = known.simplify();
            assertTrue(value.isIntNum() || value.isApp() && value.getNumArgs() == 0, () -> "It has no value: " + value);
            return value;
        }));
    }

    /** A text that is the same for the same state. */
    private static String told(Map<String, TlaValue> state) {
        return state.entrySet().stream().map(e -> e.getKey() + " = " + ordered(e.getValue())).sorted().collect(Collectors.joining("\n"));
    }

    private static String ordered(TlaValue value) {
        if (value instanceof TlaValue.SetOf set) {
            return set.items().stream().map(TranslatorTest::ordered).sorted().toList().toString();
        } else if (value instanceof TlaValue.Fun fun) {
            return fun.map().entrySet().stream().map(e -> ordered(e.getKey()) + ":" + ordered(e.getValue())).sorted().toList().toString();
        }
        return value.toString();
    }

    private static boolean isTrue(Expr<?> formula) {
        assertTrue(formula.isTrue() || formula.isFalse(), () -> "It is neither true nor false: " + formula);
        return formula.isTrue();
    }

    /** Of what is assumed to be empty no action is taken; of a set of sets each element is a set, and sets with the same elements are one. */
    @Test
    void setsOfSetsAndEmptySets() throws IOException {
        String constants = "CONSTANTS\n    \\* @type: Set(ITEM);\n    Item,\n    \\* @type: Set(ITEM);\n    None,\n    \\* @type: Set(Set(ITEM));\n    Family\n";
        String assumed = "\nConstants == None = {} /\\ \\A f \\in Family : f \\subseteq Item\n";
        Specification spec = toy(constants + "\nInit == x = 0\nUp(f) == x' = IF f = {} THEN 0 ELSE x + 1\n"
                + "Down(n) == x' = x - 1\nNext == (\\E f \\in Family : Up(f)) \\/ (\\E n \\in None : Down(n))\n"
                + REST.replace("\nConstants == TRUE\n", assumed).replace("Ordered == x + 1 > x", "Ordered == \\A f \\in Family, g \\in Family : (\\A i \\in Item : i \\in f <=> i \\in g) => f = g"));
        Proof proof = new Proof(spec, 100_000, 0);
        assertEquals(List.of("Up"), proof.actions());
        proof.parts().forEach(part -> proof.prove(part).forEach(r -> assertEquals(0, r.open(), r.toString())));
    }

    private Specification toy(String definitions) throws IOException {
        Path module = folder.resolve("Toy.tla");
        Files.writeString(module, "---- MODULE Toy ----\nEXTENDS Integers, FiniteSets\nVARIABLE\n    \\* @type: Int;\n    x\n" + definitions + "\n====\n");
        return Specification.read(module, List.of(folder), Map.of());
    }

    private static String refusal(Specification spec) {
        return assertThrows(AuditException.class, () -> {
            Proof proof = new Proof(spec, 1000, 0);
            proof.parts().forEach(proof::prove);
        }).getMessage();
    }

    private static final String REST = "\nConstants == TRUE\nPositive == x >= 0\nInductive == Positive\nOrdered == x + 1 > x\nLemmas == Ordered\nConsequences == Ordered\nPromises == Positive\nByInduction(n) == n >= 0\n";

    @Test
    void whatIsNotTranslatedIsAnErrorWithItsPlace() throws IOException {
        String init = "\nInit == x = 0";
        assertEquals("Toy.tla, line 7, column 11: 'Cardinality' is not translated.",
                refusal(toy("\nA == x' = Cardinality({x})\nB == x' = 1\nNext == A \\/ B" + init + REST)));
        assertEquals("Toy.tla, line 8, column 9: it does not say what 'x' becomes.", refusal(toy("\nA == x = 1\nNext == A \\/ A" + init + REST)));
        assertEquals("Toy.tla, line 7, column 23: a choice out of Nat is not translated.",
                refusal(toy("\nA == TRUE /\\ \\E y \\in Nat : x' = y\nNext == A \\/ A" + init + REST)));
        assertEquals("Toy.tla, line 11, column 13: a prime says nothing here.", refusal(toy("\nA == x' = 1\nNext == A \\/ A" + init + REST.replace("x >= 0", "x' >= 0"))));
    }

    @Test
    void whatCannotBeParsedOrHasNoTypeIsAnError() throws IOException {
        assertTrue(assertThrows(AuditException.class, () -> toy("A == ==")).getMessage().contains("cannot be parsed"));
        Path module = folder.resolve("Bare.tla");
        Files.writeString(module, "---- MODULE Bare ----\nVARIABLE y\nNext == y' = y\n====\n");
        Specification bare = Specification.read(module, List.of(folder), Map.of());
        assertEquals("Bare.tla, line 2, column 10: the variable 'y' has no annotation @type:.", refusal(bare));
        assertTrue(assertThrows(AuditException.class, () -> Specification.read(folder.resolve("None.tla"), List.of(), Map.of())).getMessage().contains("no module"));
    }

    /** One invariant is kept, one is not; of what follows, one does and one does not. */
    @Test
    void whatIsNotSoIsOpen() throws IOException {
        Specification spec = toy("\nUp == x' = x + 1\nDown == x' = x - 1\nNext == Up \\/ Down\nInit == x = 0" + REST);
        Proof proof = new Proof(spec, 100_000, 0);
        Map<String, Integer> open = new LinkedHashMap<>();
        proof.parts().forEach(part -> proof.prove(part).forEach(r -> open.put(r.part() + "/" + r.conjunct(), r.open())));
        assertEquals(Map.of("Init/Positive", 0, "Up/Positive", 0, "Down/Positive", 1, "ByInduction/ByInduction", 0, "Lemmas/Ordered", 0, "Consequences/Ordered", 0, "Promises/Positive", 0), open);
    }

    /** A formula that says nothing certain is not taken for true. */
    @Test
    void whatIsUnknownIsNeitherTrueNorFalse() {
        try (Context z3 = new Context()) {
            Expr<?> unknown = z3.mkBoolConst("unknown");
            assertThrows(AssertionError.class, () -> isTrue(unknown));
        }
    }
}
