package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import org.fencepost.hbase.client.FastPath;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.trace.Action;
import org.junit.jupiter.api.Test;

/** One name for one thing: what specs/FastPath.tla adds to OmidLL and the methods that do it. */
class ActionNamesTest {

    private static final Path SPECS = Path.of("..", "..", "specs");

    /** What happens to region servers and to the transaction manager, and what strangers do. */
    private static final Set<String> FAULTS = Set.of("MoveRegion", "CrashServer", "Failover", "ForgeRead");
    /** Guards and parts of actions that have methods of their own. */
    private static final List<String> GUARDS =
            List.of("PutVersion", "NoNewerCommit", "NoNewerTentative", "KnowsTheTime", "NeedsTime", "IsSame", "BootstrapTs");

    @Test
    void everyActionHasItsMethodAndItsEvent() throws IOException {
        Set<String> added = actions("FastPath.tla");
        added.removeAll(actions("OmidLL.tla"));
        assertTrue(added.containsAll(FAULTS), "unknown to the spec");
        added.removeAll(FAULTS);
        String spec = Files.readString(SPECS.resolve("FastPath.tla"));
        GUARDS.forEach(guard -> assertTrue(spec.contains("\n" + guard), guard + " is unknown to the spec"));

        Set<String> events = Stream.of(Action.values()).map(Enum::name).collect(Collectors.toSet());
        assertEquals(Set.of(), added.stream().filter(action -> !events.contains(action)).collect(Collectors.toSet()));
        Set<String> methods = Stream.of(FastPath.class, FastRegion.class, FastRegion.Last.class, LocalVersionClock.class, OmidLL.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        assertEquals(Set.of(), Stream.concat(added.stream(), GUARDS.stream())
                .filter(name -> !methods.contains(method(name))).collect(Collectors.toSet()));
    }

    private static String method(String action) {
        return Character.toLowerCase(action.charAt(0)) + action.substring(1);
    }

    /** The operators that Next and what it is made of use, but for their own names. */
    private static Set<String> actions(String spec) throws IOException {
        String text = Files.readString(SPECS.resolve(spec));
        String next = text.substring(text.indexOf("\nClientStep(t) =="), text.indexOf("\nSpec =="));
        Set<String> groups = Set.of("ClientStep", "CollectorStep", "ServerStep", "Arrival", "Fault", "Step", "Next", "Txn", "Key",
                "Contents", "Fast", "Server", "E");
        return Pattern.compile("\\b[A-Z]\\w*").matcher(next.replaceAll("\\\\\\*.*", "")).results().map(MatchResult::group)
                .filter(name -> !groups.contains(name)).collect(Collectors.toCollection(TreeSet::new));
    }
}
