package org.fencepost.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.client.RemoteTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the {@link Janitor}: once, a number of times, or for as long as the process lives. */
@Command(name = "janitor",
        description = "Finishes what dead clients have left in the tables of a commit table, or in all tables with leaders of a transaction manager, and removes what is no longer needed."
                + " Needs READ, WRITE and ADMIN on all tables, and the role operator where the transaction manager has roles. One for each"
                + " commit table is enough; several do no harm.",
        footer = {"", "Exit code: 0 the last pass was complete; 1 it was not, with the reason in one line; 2 it could not begin."})
final class JanitorCommand implements Callable<Integer> {
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** As in the transaction manager's log. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    @Option(names = "--every", paramLabel = "SECONDS", description = "make passes, so long from the beginning of one to that of the next, until the"
            + " process is ended; otherwise there is one pass")
    private Integer everySeconds;

    @Option(names = "--passes", paramLabel = "NUMBER", description = "with --every: end after so many")
    private Integer passes;

    @Option(names = "--grace", paramLabel = "SECONDS", defaultValue = "90",
            description = "longer than twice the clients' fencepost.timeout:"
                    + " what the transaction manager allows to collect is left alone for so long, so the first pass is that much later; default:"
                    + " ${DEFAULT-VALUE}")
    private int graceSeconds;

    @Mixin
    private CommitTableOption commitTable;

    @Mixin
    private HBaseOptions hbase;

    @Mixin
    private ManagerOptions manager;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    /** Counts what is done, and says so now and then: a pass over large tables takes long. */
    private final class Progress implements Tracer {
        private final Map<Action, Long> done = new EnumMap<>(Action.class);
        private long toldNanos = System.nanoTime();

        @Override
        public synchronized void event(Action action, Object... arguments) {
            done.merge(action, 1L, Long::sum);
            if (System.nanoTime() - toldNanos > PROGRESS_NANOS) {
                say(System.out, "So far " + this + ".");
                toldNanos = System.nanoTime();
            }
        }

        private long of(Action action) {
            return done.getOrDefault(action, 0L);
        }

        @Override
        public synchronized String toString() {
            return of(Action.HealLeftover) + " records completed, "
                    + (of(Action.CleanLeftover) + of(Action.CollectVersion) + of(Action.CollectTombstone))
                    + " removed, " + of(Action.CollectEntry) + " commit entries removed";
        }

        synchronized void restart() {
            done.clear();
            toldNanos = System.nanoTime();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (graceSeconds < 0 || everySeconds != null && everySeconds < 1 || passes != null && (passes < 1 || everySeconds == null)) {
            throw new IllegalArgumentException("--every and --passes are at least 1, --grace is at least 0, and --passes goes with --every.");
        }
        Configuration conf = hbase.configuration();
        commitTable.set(conf);
        try (RemoteTransactionManager remote = manager.connect(conf); TransactionClient client = TransactionClient.open(conf, remote)) {
            Progress progress = new Progress();
            return run(new Janitor(client, remote, Duration.ofSeconds(graceSeconds), progress), progress);
        }
    }

    private int run(Janitor janitor, Progress progress) throws InterruptedException {
        boolean complete = true;
        if (graceSeconds > 0) {
            complete = pass(janitor, progress); // which only asks how far the next one may go
            Thread.sleep(TimeUnit.SECONDS.toMillis(graceSeconds));
        }
        int last = everySeconds == null ? 1 : passes == null ? Integer.MAX_VALUE : passes;
        for (int number = 1; number <= last; number++) {
            long begun = System.nanoTime();
            complete = pass(janitor, progress);
            if (number < last) {
                Thread.sleep(Math.max(0, TimeUnit.SECONDS.toMillis(everySeconds) - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
            }
        }
        return complete ? 0 : 1;
    }

    /** Whether it was complete. What failed may succeed the next time. */
    private boolean pass(Janitor janitor, Progress progress) {
        progress.restart();
        long begun = System.nanoTime();
        try {
            long watermark = janitor.pass();
            say(System.out, watermark == 0 ? "Nothing is old enough to be collected yet: that takes " + graceSeconds + " s." : "Collected below "
                    + watermark + " in " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms: " + progress + ".");
            return true;
        } catch (TransactionException e) {
            say(System.err, "The pass is incomplete, with " + progress + ": " + e.getMessage());
            return false;
        }
    }

    /** With a date where there is more than one pass: then the lines are a log. */
    private void say(PrintStream out, String line) {
        out.println(everySeconds == null ? line : DATE.format(OffsetDateTime.now()) + " " + line);
    }
}
