package org.fencepost.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.conformance.failover.FailoverReplay;
import org.fencepost.conformance.fastpath.CheckpointsReplay;
import org.fencepost.conformance.fastpath.FastReplay;
import org.fencepost.conformance.fastpath.OnePhaseReplay;
import org.fencepost.conformance.fragola.FragolaReplay;
import org.fencepost.conformance.mediator.MediatorReplay;
import org.fencepost.conformance.omid.IndexReplay;
import org.fencepost.conformance.omid.OmidReplay;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.world.Carriers;

/** The specifications whose behaviours are replayed; each has the name of its module. */
enum Protocol {

    OmidLL(Action.OF_OMID_LL, Set.of("Crash", "DelayPut", "LatePut", "RetryPut", "LoseEntryAnswer", "LateCommitEntry"),
            List.of("DrawnEverything2x2", "DrawnRoles3x1")) {
        @Override
        Step step(State from, State to, String label) {
            return Step.of(from, to);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new OmidReplay(initial, carriers);
        }
    },

    TMFailover(Action.OF_TM_FAILOVER, Set.of("Begin", "RequestCommit", "Receive", "WriteLease", "SwapMaxTs", "LoseAnswer",
            "LateLeaseWrite", "LateSwap", "Crash", "Restart", "Tick"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return FailoverReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new FailoverReplay(initial, carriers);
        }
    },

    FastPath(Action.OF_FAST_PATH, Set.of("MoveRegion", "CrashServer", "Failover", "Write", "GetRecord", "PostCommit", "HealCommitCell",
            "LatePut"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return FastReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new FastReplay(initial, carriers);
        }
    },

    OnePhase(Action.OF_ONE_PHASE, Set.of("AwaitInFlight", "LateBatch", "LosePut", "RetryPut", "MoveRegion", "CrashServer", "Crash", "RefusePut"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return OnePhaseReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new OnePhaseReplay(initial, carriers);
        }
    },

    Fragola(Action.OF_FRAGOLA, Set.of("Crash", "DelayPut", "LatePut", "RetryPut", "LoseEntryAnswer", "LateCommitEntry"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return FragolaReplay.step(from, to);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new FragolaReplay(initial, carriers);
        }
    },

    IndexFence(Action.OF_INDEX_FENCE, Set.of("InstallTrigger", "DelayPopulate", "LatePopulate", "GiveUpPart"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return IndexReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new IndexReplay(constants, initial, carriers);
        }
    },

    Checkpoints(Action.OF_CHECKPOINTS, Set.of("WriteTwice", "LatePut", "RefusePut", "FastRead", "FastWrite", "GetRecord", "HealCommitCell",
            "RemoveFalseInvalidation", "HealLeftover", "CollectTombstone"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return CheckpointsReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new CheckpointsReplay(constants, initial, carriers);
        }
    },

    Mediator(Action.OF_MEDIATOR, Set.of("Crash", "DelayRecord", "LateRecord", "CrashServer", "CrashTso"), List.of()) {
        @Override
        Step step(State from, State to, String label) {
            return MediatorReplay.step(from, to, label);
        }

        @Override
        Replay replay(Map<String, String> constants, State initial, Carriers carriers) {
            return new MediatorReplay(constants, initial, carriers);
        }
    };

    private final Set<String> actions = new TreeSet<>();
    private final List<String> large;

    Protocol(Set<Action> traced, Set<String> more, List<String> large) {
        traced.forEach(action -> actions.add(action.name()));
        actions.addAll(more);
        this.large = large;
    }

    /** Those of which the code must take a step. */
    Set<String> actions() {
        return actions;
    }

    /** The models that are too large for a graph: behaviours are drawn from them. */
    List<String> large() {
        return large;
    }

    /**
     * The step between two states. Throws IllegalArgumentException if there is none.
     *
     * @param label the action's name as TLC tells it; null in a behaviour at random
     */
    abstract Step step(State from, State to, String label);

    /** @param constants of the model */
    abstract Replay replay(Map<String, String> constants, State initial, Carriers carriers);

    final Replay.Result replay(Map<String, String> constants, List<Step> steps, Carriers carriers) {
        return replay(constants, steps.get(0).from(), carriers).takeAll(steps);
    }
}
