package org.fencepost.audit;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Tells what is running: on a terminal one line that is rewritten, elsewhere (a log) a line every ten seconds. A finished run gets a line
 * of its own either way. TLC 2.18 counts after three seconds and then once a minute; newer ones oftener. Used by one thread.
 */
final class Progress {
  private static final long TERMINAL_MILLIS = 500;
  private static final long LOG_MILLIS = 10_000;

  private final PrintStream out;
  private final boolean terminal;
  private final int width;
  private final int total;
  private final long start = System.nanoTime();
  private long lastShown = System.nanoTime();
  private int done;

  Progress(PrintStream out, boolean terminal, int width, int total) {
    this.out = out;
    this.terminal = terminal;
    this.width = width;
    this.total = total;
  }

  long intervalMillis() {
    return terminal ? TERMINAL_MILLIS : LOG_MILLIS;
  }

  /** Results that are taken over: only those that are not the expected ones are told. */
  void known(List<Result> results) {
    if (!results.isEmpty()) {
      out.printf(Locale.ROOT, "%d of %d results are known: their inputs have not changed.%n", results.size(), total);
      results.stream().filter(r -> !r.asExpected()).forEach(this::tell);
      done += results.size();
    }
  }

  void finished(Result result) {
    done++;
    clear();
    tell(result);
  }

  private void tell(Result result) {
    out.printf(Locale.ROOT, "%s %s: %s%s, %,d states, %.1f s%n", result.asExpected() ? "ok  " : "FAIL", result.job().id(),
        result.verdict(), result.verdict().message() == null ? "" : " (" + result.verdict().message() + ")",
        result.output().distinct(), result.seconds());
  }

  void show(Collection<TlcRun> running) {
    if (running.isEmpty() || !terminal && System.nanoTime() - lastShown < LOG_MILLIS * 1_000_000) {
      return;
    }
    lastShown = System.nanoTime();
    String now = running.stream().sorted(Comparator.comparing(TlcRun::seconds).reversed())
        .map(r -> String.format(Locale.ROOT, "%s %.0f s, %s%s states", r.job.name(), r.seconds(), count(r.output.distinct()),
            r.job.pinned() && r.job.states() != null ? " of " + count(r.job.states()) : ""))
        .collect(Collectors.joining("; "));
    String line = String.format(Locale.ROOT, "%d of %d done, %.0f s; running: %s", done, total, (lastShown - start) / 1e9, now);
    if (terminal) {
      clear();
      out.print(line.length() < width ? line : line.substring(0, width - 1));
    } else {
      out.println(line);
    }
    out.flush();
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
