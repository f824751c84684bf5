package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
    @TempDir
    Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Job> jobs = new ArrayList<>();
    private long seconds;
    private TlcRun running;

    /** Two large models, and one that is as small as the toy. */
    @BeforeEach
    void prepare() throws Exception {
        Toy toy = new Toy(folder).model("Big", "module: MCToy\nexpect: pass\nstates: 990000", "INVARIANT TypeOK")
                .model("Middle", "module: MCToy\nexpect: pass\nstates: 990000", "INVARIANT TypeOK");
        jobs.addAll(List.of(toy.job("Big"), toy.job("Middle"), toy.job("Small")));
        running = new TlcRun(jobs.get(1), null, List.of(), folder, new TlcRun.Resources(1, 256, 1));
    }

    private Progress progress(boolean terminal) {
        Progress progress = new Progress(new PrintStream(printed, true, StandardCharsets.UTF_8), terminal, 60, 3, () -> seconds * 1_000_000_000L);
        progress.begin(jobs);
        return progress;
    }

    private String shownAt(Progress progress, long second) {
        printed.reset();
        seconds = second;
        progress.show(List.of(running));
        return printed.toString(StandardCharsets.UTF_8);
    }

    private Result passed(Job job) {
        return new Result(job, new Verdict(Verdict.Kind.PASS, null, null), new TlcOutput(), 0, 1, List.of(), folder);
    }

    @Test
    void aLogGetsALineEachHalfMinuteThatTellsTheEnd() {
        Progress progress = progress(false);
        assertEquals("", shownAt(progress, 9), "what is short is not told of");
        assertEquals("0 of 3 done, 3 left; running: Middle 0 of 990k states\n", shownAt(progress, 10));
        progress.finished(passed(jobs.get(0)));
        assertEquals("", shownAt(progress, 39));
        assertEquals("1 of 3 done, 2 left, about 5 min; running: Middle 0 of 990k states\n", shownAt(progress, 240), "half of the states are found");
        progress.finished(passed(jobs.get(1)));
        assertEquals("2 of 3 done, 1 left, about 10 s; running: Middle 0 of 990k states\n", shownAt(progress, 300));
    }

    @Test
    void aTerminalHasOneLineOfItsWidth() {
        Progress progress = progress(true);
        assertEquals("", shownAt(progress, 9));
        String line = shownAt(progress, 11);
        assertTrue(line.startsWith("\r\033[K0 of 3 done") && !line.contains("\n") && line.length() <= 60 + 4, line);
        assertEquals(line, shownAt(progress, 12), "it is written again");
    }

    @Test
    void onlyWhatFailsIsToldAtOnce() {
        Progress progress = progress(false);
        printed.reset();
        progress.finished(passed(jobs.get(0)));
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
        progress.finished(Result.notRun(jobs.get(1), folder, "no reason"));
        assertEquals("FAIL Toy/Middle: unknown (no reason), 0 states, 0.0 s\n", printed.toString(StandardCharsets.UTF_8));
    }
}
