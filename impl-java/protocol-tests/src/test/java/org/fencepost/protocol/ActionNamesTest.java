package org.fencepost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.protocol.manager.ConflictTable;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorRegion;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.omid.IndexBuild;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OnePhase;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.omid.SnapshotReader;
import org.fencepost.protocol.ph1.LocalCertifier;
import org.fencepost.protocol.ph1.PH1;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.twophase.OmidTwoPhase;
import org.junit.jupiter.api.Test;

/**
 * One name for one thing: the spec's actions, the events of a trace and the methods that perform them. The methods of the
 * fast path are those of the store, and looked for there; refusePut, the client's part, is here. Those of the transaction
 * manager's failover, and of Mediator's status oracle, are looked for in its module.
 */
class ActionNamesTest {

    /** What happens to the program and is not done by it. */
    private static final Set<String> ENVIRONMENT =
            Set.of("Crash", "DelayPut", "LatePut", "DelayPrewrite", "LatePrewrite", "LoseEntryAnswer", "LateCommitEntry");
    /** A step of who reads for others, which leaves no trace. */
    private static final String UNTRACED = "PassPending";
    /** A put that is sent again is the same method, and the same event, as the first. */
    private static final Set<String> REPEATED = Set.of("RetryPut", "RetryPrewrite");

    /** What happens to servers, and to the transaction manager (specs/TMFailover.tla has what it does then), and what strangers do. */
    private static final Set<String> FAULTS = Set.of("MoveRegion", "CrashServer", "Failover", "ForgeRead");
    /** What is lost with a server whose log does not have it yet. */
    private static final String LOST = "LoseLeader";

    /** Of specs/OnePhase.tla: what the client does in its memory alone, and what is AwaitFastWrites here, for whatever is in flight. */
    private static final Set<String> UNSEEN = Set.of("TakeLongWay", "AwaitInFlight");
    /** A copy that the network sends, and an answer that it loses. */
    private static final Set<String> NOT_OF_THE_CLIENT = Set.of("LateBatch", "LosePut");

    /** What happens to Mediator, and what strangers do. */
    private static final Set<String> MEDIATOR_FAULTS = Set.of("Crash", "CrashServer", "CrashTso", "DelayRecord", "LateRecord", "ForgeFence");
    /** The status oracle's, its helper's and its recovery's; and the get that a server performs in any case. */
    private static final Set<String> ELSEWHERE = Set.of("Evict", "HelperAbort", "SettleEntry", "Replay", "CloseLog", "OpenTso", "NativeGet");

    /** What happens to instances of pH1's middleware. */
    private static final Set<String> PH1_FAULTS = Set.of("Crash", "CutOff", "Restart", "Merge", "DelayPut", "LatePut", "LateRequest", "LateRecord");
    /** What a flusher finds where it wants to save; and a transaction of pH1 that wrote nothing ends in its commit. */
    private static final Set<String> FOUND = Set.of("FindPut", "EndReadOnly");

    private static final Path SPECS = Path.of("..", "..", "specs");

    @Test
    void actionsAreThoseOfTheSpec() {
        Set<String> expected = specActions("OmidLL.tla");
        expected.addAll(specActions("FastPath.tla"));
        expected.addAll(specActions("OmidTwoPhase.tla"));
        assertTrue(expected.containsAll(FAULTS), "unknown to the spec");
        expected.removeAll(FAULTS);
        Action.OF_CHECKPOINTS.forEach(action -> expected.add(action.name()));
        Action.OF_ONE_PHASE.forEach(action -> expected.add(action.name()));
        Action.OF_INDEX_FENCE.forEach(action -> expected.add(action.name()));
        Action.OF_TM_FAILOVER.forEach(action -> expected.add(action.name()));
        expected.removeAll(ENVIRONMENT);
        expected.removeAll(REPEATED);
        assertTrue(expected.remove(UNTRACED), "unknown to the spec");
        expected.addAll(ofMediator());
        expected.addAll(ofPH1());
        Set<String> actions = Stream.of(Action.values()).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, actions);
    }

    @Test
    void everyActionHasItsMethod() {
        Set<String> methods = Stream.of(OmidLL.class, OmidTwoPhase.class, SnapshotReader.class, Collector.class, ConflictTable.class,
                SecondaryIndex.class, IndexBuild.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        Set<String> ofTheClient = specActions("OmidLL.tla");
        ofTheClient.addAll(specActions("OmidTwoPhase.tla"));
        ofTheClient.add("RefusePut");
        Action.OF_CHECKPOINTS.forEach(action -> ofTheClient.add(action.name()));
        Action.OF_INDEX_FENCE.forEach(action -> ofTheClient.add(action.name()));
        for (Action action : Action.values()) {
            if (!ofTheClient.contains(action.name())) {
                continue;
            }
            assertTrue(methods.contains(action.method()), "no method " + action.method() + " performs " + action);
        }
    }

    /** The spec has reads, fast-path writes and the collector's looks in one step each; all else is as in the others. */
    @Test
    void everyActionOfCheckpointsHasItsEvent() {
        Set<String> actions = specActions("Checkpoints.tla");
        Set<String> inOneStep = Set.of("Read", "FastRead", "FastWrite", "WriteTwice");
        assertTrue(actions.containsAll(inOneStep), "unknown to the spec");
        actions.removeAll(inOneStep);
        actions.removeAll(ENVIRONMENT);
        actions.removeAll(specActions("OmidLL.tla"));
        actions.removeAll(specActions("FastPath.tla"));
        assertEquals(Action.OF_CHECKPOINTS.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
    }

    /** Who keeps the index from now on is a matter of deployment; a build that is given up, and its late puts, happen to it. */
    @Test
    void everyActionOfIndexFenceHasItsEvent() {
        Set<String> actions = specActions("IndexFence.tla");
        Set<String> notDone = Set.of("InstallTrigger", "GiveUpPart", "DelayPopulate", "LatePopulate", "DrawVersion", "Failover");
        assertTrue(actions.containsAll(notDone), "unknown to the spec");
        actions.removeAll(notDone);
        actions.removeAll(ENVIRONMENT);
        actions.removeAll(specActions("OmidLL.tla"));
        actions.removeAll(specActions("FastPath.tla"));
        assertEquals(Action.OF_INDEX_FENCE.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
    }

    @Test
    void everyActionOfOnePhaseHasItsEventAndItsMethod() {
        Set<String> actions = specActions("OnePhase.tla");
        for (Set<String> left : List.of(UNSEEN, NOT_OF_THE_CLIENT)) {
            assertTrue(actions.containsAll(left), "unknown to the spec");
            actions.removeAll(left);
        }
        actions.removeAll(specActions("FastPath.tla"));
        assertEquals(Action.OF_ONE_PHASE.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
        Set<String> methods = Stream.of(OnePhase.class, BatchRegion.class).flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(Method::getName).collect(Collectors.toSet());
        assertEquals(Set.of(), actions.stream().filter(action -> !methods.contains(Action.valueOf(action).method())).collect(Collectors.toSet()));
    }

    /** They are those of Omid LL, done elsewhere. */
    @Test
    void everyActionOfFragolaHasItsEvent() {
        Set<String> actions = specActions("Fragola.tla");
        actions.removeAll(ENVIRONMENT);
        actions.removeAll(REPEATED);
        actions.removeAll(FAULTS);
        assertTrue(actions.remove(LOST), "unknown to the spec");
        assertEquals(Action.OF_FRAGOLA.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
    }

    @Test
    void everyActionOfMediatorHasItsEventAndItsMethod() {
        Set<String> actions = ofMediator();
        assertEquals(Action.OF_MEDIATOR.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
        assertTrue(actions.containsAll(ELSEWHERE), "unknown to the spec");
        actions.removeAll(ELSEWHERE);
        Set<String> methods = Stream.of(Mediator.class, MediatorRegion.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        assertEquals(Set.of(), actions.stream().filter(action -> !methods.contains(Action.valueOf(action).method())).collect(Collectors.toSet()));
    }

    @Test
    void everyActionOfPH1HasItsEventAndItsMethod() {
        Set<String> actions = ofPH1();
        assertEquals(Action.OF_PH1.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)), actions);
        Set<String> methods = Stream.of(PH1.class, LocalCertifier.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        actions.removeAll(FOUND);
        assertEquals(Set.of(), actions.stream().filter(action -> !methods.contains(Action.valueOf(action).method())).collect(Collectors.toSet()));
    }

    private static Set<String> ofPH1() {
        Set<String> actions = specActions("PH1.tla");
        assertTrue(actions.containsAll(PH1_FAULTS) && actions.containsAll(FOUND), "unknown to the spec");
        actions.removeAll(PH1_FAULTS);
        return actions;
    }

    private static Set<String> ofMediator() {
        Set<String> actions = specActions("Mediator.tla");
        assertTrue(actions.containsAll(MEDIATOR_FAULTS), "unknown to the spec");
        actions.removeAll(MEDIATOR_FAULTS);
        return actions;
    }

    /** The operators that the last section of the spec, where Next is, calls actions by using them in its disjunctions. */
    private static Set<String> specActions(String spec) {
        String text = spec(spec);
        String next = text.substring(text.indexOf("\nClientStep(t) =="), text.indexOf("\nSpec =="));
        Set<String> groups = Set.of("ClientStep", "CollectorStep", "ServerStep", "TsoStep", "Arrival", "Fault", "Step", "Next", "Txn", "Key",
                "Contents", "Fast", "Native", "Op", "Server", "E", "Row", "Index", "Builder", "Region", "SUBSET", "IF", "THEN", "ELSE", "FlushStep",
                "Recovery", "SomebodyRedoes", "SomebodyAborts", "IsUp", "Node");
        return Pattern.compile("\\b[A-Z]\\w*").matcher(next.replaceAll("\\\\\\*.*", "")).results().map(MatchResult::group)
                .filter(name -> !groups.contains(name)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String spec(String name) {
        try {
            return Files.readString(SPECS.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
