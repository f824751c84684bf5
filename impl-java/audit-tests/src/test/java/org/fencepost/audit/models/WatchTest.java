package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLC's process is stopped by a signal, so that it stands still as it does when it never wakes its worker up. */
@Timeout(120)
class WatchTest {
    private static final int STILL_SECONDS = 2;

    @TempDir
    Path folder;
    private Toy toy;

    @BeforeEach
    void prepare() throws Exception {
        toy = new Toy(folder);
    }

    private TlcRun run(String name, int timeoutSeconds) {
        return new TlcRun(toy.job(name), Tlc.locate(null), Suite.load(toy.specs).library("Toy"), toy.out.resolve(name).toAbsolutePath(),
                new TlcRun.Resources(1, 256, timeoutSeconds, STILL_SECONDS));
    }

    /** Stops the next process of TLC below this one that is not of this number, and returns its number. */
    private long stop(long but) throws Exception {
        while (true) {
            for (ProcessHandle child : ProcessHandle.current().children().toList()) {
                boolean tlc = Stream.of(child.info().arguments().orElse(new String[0])).anyMatch(a -> a.contains(folder.getFileName().toString()));
                if (tlc && child.pid() != but) {
                    assertEquals(0, new ProcessBuilder("kill", "-STOP", Long.toString(child.pid())).start().waitFor());
                    return child.pid();
                }
            }
            Thread.sleep(10);
        }
    }

    @Test
    void whatStandsStillIsRunOnceMore() throws Exception {
        CompletableFuture<Result> result = CompletableFuture.supplyAsync(run("Small", 600)::run);
        stop(-1);
        assertEquals(new Verdict(Verdict.Kind.PASS, null, null), result.get().verdict());
        assertEquals(16, result.get().output().distinct());
    }

    @Test
    void whatStandsStillTwiceIsUnknown() throws Exception {
        CompletableFuture<Result> result = CompletableFuture.supplyAsync(run("Small", 600)::run);
        stop(stop(-1));
        assertEquals(Verdict.unknown("TLC stood still for 2 s, twice: run it again, its log is in " + toy.out.resolve("Small").toAbsolutePath()),
                result.get().verdict());
    }

    @Test
    void whatIsBusyDoesNotStandStill() throws Exception {
        String constants = Toy.SMALL.replace("c1, c2", "c1, c2, c3, c4, c5, c6, c7, c8").replace("{k1}", "{k1, k2, k3}");
        toy.write("models/Toy/Endless.cfg", "\\* module: MCToy\n\\* expect: pass\n" + constants + "INVARIANT TypeOK\n");
        Result result = run("Endless", 5 * STILL_SECONDS).run();
        assertEquals(Verdict.unknown("stopped after 10 s: raise --timeout"), result.verdict());
    }
}
