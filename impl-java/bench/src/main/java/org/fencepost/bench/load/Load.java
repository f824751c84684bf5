package org.fencepost.bench.load;

/**
 * What a {@link Generator} asks of a system.
 *
 * @param writeSet        cells each transaction writes
 * @param conflictPercent of the transactions that must meet a conflict, 0 to 50
 * @param connections     over which the transactions are spread evenly
 * @param outstanding     closed loop: transactions begun and not ended, always so many; 0 for an open loop. Paced: at most so many
 * @param rate            open loop: transactions that begin per second, whatever the answers do; 0 for a closed loop. Paced: at most
 *                        so many, and the generator sleeps in between
 */
public record Load(int writeSet, int conflictPercent, int connections, int outstanding, double rate) {

    public static Load closed(Scenario scenario, int connections, int outstanding) {
        return new Load(scenario.writeSet(), scenario.conflictPercent(), connections, outstanding, 0);
    }

    public static Load open(Scenario scenario, int connections, double rate) {
        return new Load(scenario.writeSet(), scenario.conflictPercent(), connections, 0, rate);
    }

    /** In the background of something else: no latencies are measured, and a server that cannot keep up is not drowned. */
    public static Load paced(int connections, double rate, int outstanding) {
        return new Load(1, 0, connections, outstanding, rate);
    }

    public boolean isOpen() {
        return rate > 0;
    }

    boolean isPaced() {
        return rate > 0 && outstanding > 0;
    }
}
