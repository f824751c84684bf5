package org.fencepost.conformance.replay;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.Scheduler;

/**
 * An actor that moves when it is told to, and from one request to the next: a client, or a collector. Between errands
 * it has no request.
 */
public class Puppet {

    private static final long FOR_EVER = Long.MAX_VALUE / 4;

    /** It dies with its request, which nobody carries out. Nothing of the protocol catches this. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1;

        Death() {
            super(null, null, false, false);
        }
    }

    private enum Fate { CARRIED_OUT, LOST, DEATH }

    private final String name;
    private final Scheduler scheduler;
    private Runnable errand;
    private Call call;
    private Fate fate;
    private String row;
    private boolean dead;

    public Puppet(String name, Scheduler scheduler) {
        this.name = name;
        this.scheduler = scheduler;
    }

    public String name() {
        return name;
    }

    // ---- its own part, on its own turn

    /** One errand after the other, until the scheduler ends the run. */
    public void live() {
        while (true) {
            rest();
            Runnable next = errand;
            try {
                next.run();
            } catch (Death e) {
                dead = true;
            }
            errand = null;
        }
    }

    private void rest() {
        scheduler.pauseUntilChanged(name, 1, FOR_EVER);
    }

    /** Waits with a request until it is known what becomes of a row of it; then returns the server's answer. */
    public Object await(Call request) {
        call = request;
        rest();
        call = null;
        switch (fate) {
            case DEATH -> throw new Death();
            case LOST -> throw lost(request);
            default -> {
                return request.take(row).get();
            }
        }
    }

    /** Waits with a request for one key, or for {@link Call#NO_KEY}, and returns the server's answer. */
    @SuppressWarnings("unchecked")
    public final <T> T ask(Call.Kind kind, String key, long version, Supplier<T> effect) {
        return (T) await(new Call(kind, version, new LinkedHashMap<>(Map.of(key, effect))));
    }

    /** The same without key and answer. */
    public final void act(Call.Kind kind, long version, Runnable effect) {
        actOnEach(kind, List.of(Call.NO_KEY), version, none -> effect.run());
    }

    /** Waits with a request for several keys until each is carried out, in any order. */
    public final void actOnEach(Call.Kind kind, Collection<String> keys, long version, Consumer<String> effect) {
        Map<String, Supplier<?>> rows = new LinkedHashMap<>();
        keys.forEach(key -> rows.put(key, () -> {
            effect.accept(key);
            return null;
        }));
        for (Call request = new Call(kind, version, rows); !rows.isEmpty();) {
            await(request);
        }
    }

    /**
     * The clock of its protocol class, by the scheduler's time.
     *
     * @param reason why that has nothing to wait for
     */
    protected final Clock clock(String reason) {
        return new Clock() {
            @Override
            public long nanos() {
                return scheduler.nanos();
            }

            @Override
            public void sleep(long nanos) {
                throw new UnsupportedOperationException(reason);
            }
        };
    }

    /** What it hears of a request that was lost. */
    public RuntimeException lost(Call request) {
        boolean manager = request.kind.compareTo(Call.Kind.BEGIN) >= 0;
        return manager ? new TransactionManagerException("lost: " + request) : new StoreException("lost: " + request);
    }

    // ---- the director's part

    /** The request it waits with; null if it has nothing to do. */
    public Call call() {
        return call;
    }

    public boolean isAt(Call.Kind kind) {
        return call != null && call.kind == kind;
    }

    public boolean isDead() {
        return dead;
    }

    /** Gives it something to do, which it does up to its first request. */
    public void order(Runnable job) {
        if (call != null || dead) {
            throw new Refused(this + " has something else to do");
        }
        errand = job;
        move();
    }

    /** A row of its request is carried out, and if it was the last one it goes on to its next request. */
    public void carryOut(String key) {
        fate = Fate.CARRIED_OUT;
        row = key;
        move();
    }

    /** Its request is lost, or the answer. */
    public void lose() {
        fate = Fate.LOST;
        move();
    }

    public void die() {
        if (call == null) {
            dead = true;
        } else {
            fate = Fate.DEATH;
            move();
        }
    }

    /** Another one takes its place. */
    public void revive() {
        dead = false;
    }

    private void move() {
        scheduler.changed(name);
        scheduler.pause(1);
    }

    @Override
    public String toString() {
        return name + (dead ? ", who is dead," : call == null ? ", who has no request under way," : ", who waits with " + call + ",");
    }
}
