package org.fencepost.audit.models;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Tells what is running of what takes more than ten seconds, how much is left and for how long: on a terminal one line that is rewritten,
 * elsewhere (a log) a line every half a minute. A result that is not the expected one gets a line of its own either way. How long it will take is
 * told by the pinned states: what they amount to for the runs that are done, and for those that are not. TLC 2.18 counts after three
 * seconds and then once a minute; newer ones oftener. Used by one thread.
 */
public final class Progress {
    private static final double FIRST_SECONDS = 10;
    private static final double TERMINAL_SECONDS = 0.5;
    private static final double LOG_SECONDS = 30;
    /** Before so much is done, nobody can tell how long the rest will take. */
    private static final double LEAST_SHARE = 0.02;
    private static final int FEW = 3;

    private final PrintStream out;
    private final boolean terminal;
    private final int width;
    private final int total;
    private final LongSupplier nanos;
    private long start;
    private double nextSeconds = FIRST_SECONDS;
    private int done;
    private double effort;
    private double effortDone;

    public Progress(PrintStream out, boolean terminal, int width, int total) {
        this(out, terminal, width, total, System::nanoTime);
    }

    /** @param nanos the time in nanoseconds */
    Progress(PrintStream out, boolean terminal, int width, int total, LongSupplier nanos) {
        this.out = out;
        this.terminal = terminal;
        this.width = width;
        this.total = total;
        this.nanos = nanos;
    }

    /** Results that are taken over: only those that are not the expected ones are told. */
    void known(List<Result> results) {
        if (!results.isEmpty()) {
            out.printf(Locale.ROOT, "%d of %d results are known: their inputs have not changed.%n", results.size(), total);
            results.forEach(this::tell);
            done += results.size();
        }
    }

    /** These will be run. */
    void begin(List<Job> jobs) {
        start = nanos.getAsLong();
        effort = jobs.stream().mapToDouble(Runner::effort).sum();
    }

    void finished(Result result) {
        done++;
        effortDone += Runner.effort(result.job());
        tell(result);
    }

    private void tell(Result result) {
        if (!result.asExpected()) {
            clear();
            out.printf(Locale.ROOT, "FAIL %s: %s%s, %,d states, %.1f s%n", result.job().id(), result.verdict(),
                    result.verdict().message() == null ? "" : " (" + result.verdict().message() + ")", result.output().distinct(), result.seconds());
        }
    }

    void show(Collection<TlcRun> running) {
        double seconds = (nanos.getAsLong() - start) / 1e9;
        if (running.isEmpty() || seconds < nextSeconds) {
            return;
        }
        nextSeconds = seconds + (terminal ? TERMINAL_SECONDS : LOG_SECONDS);
        String now = running.stream().sorted(Comparator.comparing(TlcRun::seconds).reversed()).limit(FEW).map(Progress::count)
                .collect(Collectors.joining(", "));
        String line = String.format(Locale.ROOT, "%d of %d done, %d left%s; running: %s", done, total, total - done, rest(seconds, running), now);
        if (terminal) {
            clear();
            out.print(line.length() < width ? line : line.substring(0, width - 1));
        } else {
            out.println(line);
        }
        out.flush();
    }

    private String rest(double seconds, Collection<TlcRun> running) {
        double share = (effortDone + running.stream().mapToDouble(r -> Math.min(r.output().distinct(), Runner.effort(r.job))).sum()) / effort;
        return share < LEAST_SHARE ? "" : ", about " + duration(seconds * (1 - share) / share);
    }

    /** Rounded up: nobody waits for a rest of zero. */
    static String duration(double seconds) {
        return seconds < 60 ? (long) Math.ceil(seconds / 10) * 10 + " s" : seconds < 3600 ? (long) Math.ceil(seconds / 60) + " min"
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    private static String count(TlcRun run) {
        String pinned = run.job.pinned() && run.job.states() != null ? " of " + count(run.job.states()) : "";
        return run.job.name() + " " + count(run.output().distinct()) + pinned + " states";
    }

    /** Three digits are enough while it runs. */
    static String count(long n) {
        return n < 10_000 ? Long.toString(n) : n < 1_000_000 ? n / 1000 + "k" : String.format(Locale.ROOT, "%.1fM", n / 1e6);
    }

    private void clear() {
        if (terminal) {
            out.print("\r\033[K");
        }
    }
}
