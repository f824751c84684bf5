package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.fencepost.audit.models.Toy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The site in a real browser, in frames as narrow as a phone: nothing sticks out, the script runs, steps follow buttons and arrow keys, search
 * leads to a counterexample, the filter leaves what has its words.
 * Without Chromium (Debian's package {@code chromium}) it is skipped.
 */
class BrowserTest {
    private static final String PROBE = """
            <!doctype html><pre id="said"></pre><script>
            const said = [];
            const say = (name, value) => said.push(name + "=" + value);
            const open = page => new Promise(done => {
              const f = document.createElement("iframe");
              f.width = 360;
              f.height = 800;
              f.onload = () => done(f.contentDocument);
              f.src = "audit/" + page;
              document.body.append(f);
            });
            const sticksOut = d => {
              d.querySelectorAll("details").forEach(e => e.open = true);
              return d.documentElement.scrollWidth > 360;
            };
            const type = (input, words) => {
              input.value = words;
              input.dispatchEvent(new Event("input", { bubbles: true }));
            };
            onload = async () => {
              const index = await open("index.html");
              say("overview sticks out", sticksOut(index));
              type(index.querySelector("#search"), "lock granttwice");
              say("found", [...index.querySelectorAll(".found a")].map(a => a.getAttribute("href")).join());
              const system = await open("Toy.html");
              say("system sticks out", sticksOut(system));
              type(system.querySelector("#filter"), "granttwice");
              say("left of mutants", [...system.querySelectorAll("#mutants-Toy + .scroll tbody tr")].filter(r => r.offsetHeight).length);
              const d = await open("Toy.GrantTwice.html");
              say("steps stick out", sticksOut(d));
              const s = d.querySelector(".stepper");
              const shown = () => [...s.querySelectorAll("tbody tr")].filter(r => !r.hidden).length;
              const now = () => s.querySelector(".now").textContent.split("\\n")[0];
              say("controls", !s.querySelector(".controls").hidden);
              say("at first", now());
              s.querySelector("[data-go=next]").click();
              say("next", now() + " " + shown());
              const press = key => s.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
              press("ArrowRight"); press("ArrowRight");
              say("right", now().split(":")[0] + " " + shown());
              press("ArrowLeft");
              say("left", now().split(":")[0] + " " + shown());
              press("End");
              say("end", now());
              document.getElementById("said").textContent = said.join(";");
            };
            </script>
            """;

    @TempDir
    Path folder;

    private static String browser() {
        return Stream.of(System.getenv("PATH").split(":")).map(p -> Path.of(p, "chromium")).filter(Files::isExecutable).map(Path::toString)
                .findFirst().orElse(null);
    }

    @Test
    void theCounterexamplesCanBeSteppedThrough() throws IOException, InterruptedException {
        String chromium = browser();
        assumeTrue(chromium != null, "no Chromium here");
        Toy toy = new Toy(folder);
        assertEquals(0, new picocli.CommandLine(new Audit(System.out)).execute("--root", folder.toString(), "--check", toy.out.toString(), "--out",
                folder.resolve("audit").toString(), "--tlc", ""));
        Files.writeString(folder.resolve("probe.html"), PROBE);
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                "--enable-logging=stderr", "--user-data-dir=" + folder.resolve("profile"), "--virtual-time-budget=5000", "--dump-dom",
                folder.resolve("probe.html").toUri().toString()).redirectError(errors.toFile()).start();
        String dom = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the browser does not end");
        String said = dom.replaceAll("(?s).*<pre id=\"said\">(.*?)</pre>.*", "$1");
        assertEquals(List.of("overview sticks out=false", "found=Toy.GrantTwice.html", "system sticks out=false", "left of mutants=1",
                "steps stick out=false", "controls=true", "at first=All 4 steps.", "next=Step 1 of 4: Ask 1", "right=Step 3 of 4 3",
                "left=Step 2 of 4 2", "end=All 4 steps."), List.of(said.split(";")), dom);
        String console = Files.readString(errors);
        assertFalse(console.contains("Uncaught") || console.contains("SyntaxError"), console);
    }
}
