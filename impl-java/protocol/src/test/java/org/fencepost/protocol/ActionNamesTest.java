package org.fencepost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One name for one thing: the spec's actions, the events of a trace and the methods that perform them. */
class ActionNamesTest {

    /** What happens to the program and is not done by it. */
    private static final Set<String> ENVIRONMENT =
            Set.of("Crash", "DelayPut", "LatePut", "LoseEntryAnswer", "LateCommitEntry");
    /** A put that is sent again is the same method, and the same event, as the first. */
    private static final Set<String> REPEATED = Set.of("RetryPut");

    private static final Path SPEC = Path.of("..", "..", "specs", "OmidLL.tla");

    @Test
    void actionsAreThoseOfTheSpec() {
        Set<String> expected = specActions();
        expected.removeAll(ENVIRONMENT);
        expected.removeAll(REPEATED);
        Set<String> actions = Stream.of(Action.values()).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, actions);
    }

    @Test
    void everyActionHasItsMethod() {
        Set<String> methods = Stream.of(OmidLL.class, SnapshotReader.class, Collector.class, ConflictTable.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        for (Action action : Action.values()) {
            assertTrue(methods.contains(action.method()), "no method " + action.method() + " performs " + action);
        }
    }

    /** The operators that the last section of the spec, where Next is, calls actions by using them in its disjunctions. */
    private static Set<String> specActions() {
        String text = spec();
        String next = text.substring(text.indexOf("\nClientStep(t) =="), text.indexOf("\nSpec =="));
        Set<String> groups = Set.of("ClientStep", "CollectorStep", "Arrival", "Fault", "Step", "Next", "Txn", "Key", "Contents", "E");
        return Pattern.compile("\\b[A-Z]\\w*").matcher(next.replaceAll("\\\\\\*.*", "")).results().map(MatchResult::group)
                .filter(name -> !groups.contains(name)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String spec() {
        try {
            return Files.readString(SPEC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
