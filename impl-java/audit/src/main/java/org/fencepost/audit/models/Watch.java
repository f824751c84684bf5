package org.fencepost.audit.models;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ends a process of TLC whose time is up, or that stands still: TLC 2.18 sometimes never wakes its worker up again after it has stopped it
 * to count. Then its states do not advance, nor does its CPU time. A JVM that waits takes some all the same, so little counts as none.
 */
final class Watch extends Thread {
    /** What ended the process. */
    enum End { ITSELF, TIMEOUT, STOOD_STILL }

    private static final long LOOK_MILLIS = 500;
    private static final double LEAST_CPU_SHARE = 0.01;

    private final Process process;
    private final TlcRun.Resources limits;
    private final LongSupplier states;
    private volatile End end = End.ITSELF;

    /** @param states how many there are by now */
    Watch(Process process, TlcRun.Resources limits, LongSupplier states) {
        super("watch of TLC");
        setDaemon(true);
        this.process = process;
        this.limits = limits;
        this.states = states;
    }

    /** Known when the process has ended. */
    End end() {
        return end;
    }

    @Override
    public void run() {
        long start = System.nanoTime();
        long since = start;
        long statesThen = 0;
        Duration cpuThen = Duration.ZERO;
        while (process.isAlive()) {
            long now = System.nanoTime();
            Duration cpu = process.info().totalCpuDuration().orElse(null);
            if (cpu == null) {
                since = now; // not told here: only the timeout helps
            } else if (cpu.minus(cpuThen).toNanos() >= LEAST_CPU_SHARE * limits.stillSeconds() * 1e9 || states.getAsLong() != statesThen) {
                since = now;
                statesThen = states.getAsLong();
                cpuThen = cpu;
            } else if (now - since > limits.stillSeconds() * 1_000_000_000L) {
                kill(End.STOOD_STILL);
            }
            if (now - start > limits.timeoutSeconds() * 1_000_000_000L) {
                kill(End.TIMEOUT);
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void kill(End why) {
        if (end == End.ITSELF && process.isAlive()) {
            end = why;
            process.destroyForcibly();
        }
    }
}
