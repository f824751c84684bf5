package org.fencepost.simulation.world;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.TimeSource;

/**
 * What the regions of a server share: the clock, and the thread that asks the transaction manager for the time, which is an
 * actor. Requests are carried out by {@code RegionServers}.
 */
public final class RegionServer implements Runnable, TimeSource {

    /** Of one region. */
    private record Question(BooleanSupplier stillNeeded, Runnable then) {
    }

    private static final String NAME = "RS ";

    private final String name;
    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final TransactionManager manager;
    private final Network network;
    private final SplittableRandom random;
    private final Consumer<RegionServer> crash;
    private final BooleanSupplier needed;
    private final Queue<Question> questions = new ArrayDeque<>();
    private LocalVersionClock clock;
    private final Luck luck;

    /** @param crash what becomes of it when it dies while it asks */
    public RegionServer(String name, Plan plan, Scheduler scheduler, EventLog log, TransactionManager manager, Network network,
            SplittableRandom random, Consumer<RegionServer> crash, BooleanSupplier needed) {
        this.name = name;
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.manager = manager;
        this.network = network;
        this.random = random;
        this.luck = new Luck(plan, random);
        this.crash = crash;
        this.needed = needed;
        this.clock = new LocalVersionClock(plan.versions());
    }

    public String name() {
        return name;
    }

    /** Of a server with such a name; 0 if there is none. */
    static int number(String name) {
        return name.startsWith(NAME) ? Integer.parseInt(name.substring(NAME.length())) : 0;
    }

    /** A new one each time that it is started. */
    public LocalVersionClock clock() {
        return clock;
    }

    public void restart() {
        clock = new LocalVersionClock(plan.versions());
        questions.clear();
    }

    /** The end of all faults. */
    public void heal() {
        luck.heal();
        network.heal();
    }

    @Override
    public void bootstrapClock(BooleanSupplier stillNeeded, Runnable then) {
        questions.add(new Question(stillNeeded, then));
        scheduler.changed(wake());
    }

    private String wake() {
        return name + " wakes";
    }

    /** Returns when nobody needs it for now; goes on when called again. */
    @Override
    public void run() {
        while (needed.getAsBoolean()) {
            Question next = questions.poll();
            if (next == null) {
                scheduler.pauseUntilChanged(wake(), 1, plan.leaseNanos());
            } else if (!attempt(next)) {
                scheduler.pause(plan.fastPatienceNanos() / 8);
            }
        }
    }

    /** Whether it need not be tried again. */
    private boolean attempt(Question question) {
        if (!question.stillNeeded().getAsBoolean()) {
            return true;
        }
        LocalVersionClock mine = clock;
        if (luck.strikes(Fault.SERVER_ALONE)) {
            log.fault(Fault.SERVER_ALONE, "server", name);
            scheduler.pause(plan.stall(random));
        }
        try {
            mine.bootstrapClock(manager);
            if (mine == clock) { // it was not started again meanwhile
                question.then().run();
            }
            return true;
        } catch (TransactionManagerException e) {
            if (mine == clock) {
                questions.add(question);
            }
            return false;
        } catch (Death e) {
            if (mine == clock) {
                crash.accept(this);
            }
            return true;
        }
    }
}
