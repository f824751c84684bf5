package org.fencepost.simulation.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/** The transaction managers' processes and the ZooKeeper by which they agree. */
public final class Managers {

    private final ZooKeeperServer zooKeeper;
    private final Judge judge;
    private final List<ManagerProcess> processes = new ArrayList<>();

    /** @param needed whether anybody may still ask for something */
    public Managers(Plan plan, Scheduler scheduler, EventLog log, BooleanSupplier needed) {
        this.judge = new Judge(plan.leap(), plan.epochLength(), log);
        this.zooKeeper = new ZooKeeperServer(log, judge);
        for (int i = 1; i <= plan.managers(); i++) {
            processes.add(new ManagerProcess("TM " + i, plan, scheduler, log, zooKeeper, judge, needed));
        }
        processes.forEach(judge::watch);
    }

    public Judge judge() {
        return judge;
    }

    public List<ManagerProcess> processes() {
        return processes;
    }

    /** Whom a client tries: mostly the one that ZooKeeper names. */
    public ManagerProcess find(SplittableRandom random) {
        ManagerProcess guess = processes.get(random.nextInt(processes.size()));
        String primary = zooKeeper.primary();
        return random.nextInt(4) == 0 ? guess : processes.stream().filter(p -> p.address().equals(primary)).findFirst().orElse(guess);
    }

    /** The end of all faults. */
    public void heal() {
        processes.forEach(ManagerProcess::heal);
    }
}
