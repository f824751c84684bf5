package org.fencepost.conformance.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Scheduler;

/**
 * Takes the steps of a behaviour in the code, one after the other, and compares states after each. All who act are puppets,
 * which are held before each of their requests; each specification has a subclass, which knows what becomes of which request
 * at a step, and how the code's state reads in the specification's variables.
 */
public abstract class Replay {

    /** Ends the run of the scheduler. */
    private static final class End extends RuntimeException {
        private static final long serialVersionUID = 1;

        End() {
            super(null, null, false, false);
        }
    }

    /**
     * @param taken      steps
     * @param difference what is otherwise at the next step; null if all were taken
     * @param refused    the code does not take it; if not, the code takes it to another state
     */
    public record Result(int taken, String difference, boolean refused) {
    }

    public final Scheduler scheduler;
    private int taken;
    private String difference;
    private boolean refused;

    public Replay(Carriers carriers) {
        this.scheduler = new Scheduler(carriers, Long.MAX_VALUE);
    }

    public abstract Collection<? extends Puppet> puppets();

    /** What comes before the initial state. */
    public void begin() {
    }

    /** Throws {@link Refused} if the code does not take it. */
    public abstract void take(Step step);

    /** A variable of the specification as the code has it; null if it is not compared. */
    public abstract TlaValue value(String variable);

    /** @param steps each begins where the one before ends, the first one in an initial state */
    public final Result takeAll(List<Step> steps) {
        List<Scheduler.Part> parts = new ArrayList<>();
        parts.add(new Scheduler.Part("director", () -> direct(steps)));
        puppets().forEach(puppet -> parts.add(new Scheduler.Part(puppet.name(), puppet::live)));
        try {
            scheduler.run(parts);
        } catch (End e) {
            // as it should
        } catch (Throwable e) {
            difference = "the code throws " + e;
        }
        return new Result(taken, difference, refused);
    }

    private void direct(List<Step> steps) {
        scheduler.pause(1); // the others take their places
        begin();
        try {
            for (Step step : steps) {
                take(step);
                difference = differenceTo(step.to());
                if (difference != null) {
                    break;
                }
                taken++;
            }
        } catch (Refused e) {
            difference = e.getMessage();
            refused = true;
        }
        throw new End();
    }

    /** The variables that differ, one after the other; null if none does. */
    private String differenceTo(State expected) {
        List<String> differences = new ArrayList<>();
        expected.variables().forEach((variable, value) -> {
            TlaValue found = value(variable);
            if (found != null && !found.equals(value)) {
                differences.add(String.format("%n    %-14s spec %s%n    %14s code %s", variable, value.brief(), "", found.brief()));
            }
        });
        return differences.isEmpty() ? null : "another state:" + differences.stream().sorted().collect(Collectors.joining());
    }

    // ---- how a request goes on

    public static void require(Puppet puppet, Kind kind) {
        if (!puppet.isAt(kind)) {
            throw new Refused(puppet + " should wait with " + kind);
        }
    }

    public static void carryOut(Puppet puppet, Kind kind) {
        carryOut(puppet, kind, Call.NO_KEY);
    }

    public static void carryOut(Puppet puppet, Kind kind, String key) {
        requireRow(puppet, kind, key);
        puppet.carryOut(key);
    }

    public static void requireRow(Puppet puppet, Kind kind, String key) {
        require(puppet, kind);
        if (!puppet.call().keys().contains(key)) {
            throw new Refused(puppet + " should wait with " + kind + " of " + key);
        }
    }

    public static void lose(Puppet puppet, Kind kind) {
        require(puppet, kind);
        puppet.lose();
    }

    /** The request is under way, and its sender hears nothing of it. */
    public static Supplier<?> hold(Puppet puppet, Kind kind, String key) {
        requireRow(puppet, kind, key);
        Supplier<?> effect = puppet.call().take(key);
        puppet.lose();
        return effect;
    }
}
