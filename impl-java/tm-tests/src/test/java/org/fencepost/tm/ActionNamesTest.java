package org.fencepost.tm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.protocol.trace.Action;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.mediator.Helper;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.mediator.StatusOracle;
import org.fencepost.tm.server.TmConnection;
import org.junit.jupiter.api.Test;

/**
 * One name for one thing: the actions of specs/TMFailover.tla and the methods that perform them, and those of specs/Mediator.tla that
 * the status oracle performs, with its helper and its recovery.
 */
class ActionNamesTest {

    private static final Path SPEC = Path.of("..", "..", "specs", "TMFailover.tla");

    /** What decides whether a process serves, and is not traced for itself. */
    private static final Set<String> UNTRACED = Set.of("Receive");
    /** What ZooKeeper does, and what happens to a process. */
    private static final Set<String> ENVIRONMENT =
            Set.of("WriteLease", "SwapMaxTs", "Tick", "LoseAnswer", "LateLeaseWrite", "LateSwap", "Crash", "Restart");
    /** The client's two messages for what is one action in OmidLL. */
    private static final Set<String> MESSAGES = Set.of("AskBegin", "ReceiveBegin", "AskCommit", "ReceiveCommit");

    @Test
    void everyActionIsPerformedByItsMethod() throws IOException {
        Set<String> actions = specActions();
        assertTrue(actions.containsAll(ENVIRONMENT) && actions.containsAll(MESSAGES), "unknown to the spec");
        actions.removeAll(ENVIRONMENT);
        actions.removeAll(MESSAGES);
        Set<String> methods = Stream.of(HighAvailability.class, TmConnection.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())).map(Method::getName).collect(Collectors.toSet());
        Action.OF_OMID_LL.stream().map(Action::method).forEach(methods::add);
        assertEquals(Set.of(), actions.stream().filter(action -> !methods.contains(method(action))).collect(Collectors.toSet()));
    }

    @Test
    void everyActionHasItsEvent() throws IOException {
        Set<String> actions = specActions();
        actions.removeAll(ENVIRONMENT);
        actions.removeAll(MESSAGES);
        actions.removeAll(UNTRACED);
        Action.OF_OMID_LL.stream().map(Action::name).forEach(actions::remove);
        assertEquals(Action.OF_TM_FAILOVER.stream().map(Action::name).collect(Collectors.toCollection(TreeSet::new)), actions);
    }

    /** As the header of specs/Mediator.tla has it. */
    @Test
    void mediatorsActionsHaveTheirMethods() {
        Map.of(StatusOracle.class, "begin txTryCommit tsoAbort settleEntry evict", Helper.class, "helperAbort settleEntry replay",
                Recovery.class, "closeLog replay openTso").forEach((type, actions) -> {
                    Set<String> methods = Arrays.stream(type.getDeclaredMethods()).map(Method::getName).collect(Collectors.toSet());
                    assertTrue(methods.containsAll(Set.of(actions.split(" "))), type.getSimpleName());
                });
    }

    private static String method(String action) {
        return Character.toLowerCase(action.charAt(0)) + action.substring(1);
    }

    /** The operators that Next and what it is made of use, but for their own names. */
    private static Set<String> specActions() throws IOException {
        String text = Files.readString(SPEC);
        String next = text.substring(text.indexOf("\nTmStep(i) =="), text.indexOf("\nSpec =="));
        Set<String> groups = Set.of("TmStep", "ClientStep", "Time", "Step", "Fault", "Aftermath", "Next", "Tm", "Txn", "Key", "Rates",
                "SUBSET", "E");
        return Pattern.compile("\\b[A-Z]\\w*").matcher(next.replaceAll("\\\\\\*.*", "")).results().map(MatchResult::group)
                .filter(name -> !groups.contains(name)).collect(Collectors.toCollection(TreeSet::new));
    }
}
