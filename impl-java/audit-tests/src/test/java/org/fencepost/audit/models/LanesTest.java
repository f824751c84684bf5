package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.TextLanes;
import org.fencepost.lanes.Wrap;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LanesTest {
    private static final String[] STATES = {
            "1: <Initial predicate>\n/\\ phase = (c1 :> \"idle\" @@ c2 :> \"idle\")\n/\\ holder = {}\n"
                    + "/\\ store = (k1 :> [by |-> \"nobody\", n |-> 0])\n/\\ history = <<>>",
            "2: <Ask line 1, col 1 to line 1, col 2 of module Toy>\n/\\ phase = (c1 :> \"asking\" @@ c2 :> \"idle\")\n/\\ holder = {}\n"
                    + "/\\ store = (k1 :> [by |-> \"nobody\", n |-> 0])\n/\\ history = <<>>",
            "3: <Grant line 1, col 1 to line 1, col 2 of module Toy>\n/\\ phase = (c1 :> \"holding\" @@ c2 :> \"idle\")\n/\\ holder = {c1}\n"
                    + "/\\ store = (k1 :> [by |-> \"nobody\", n |-> 0])\n/\\ history = <<>>",
            "4: <Release line 1, col 1 to line 1, col 2 of module Toy>\n/\\ phase = (c1 :> \"done\" @@ c2 :> \"idle\")\n/\\ holder = {}\n"
                    + "/\\ store = (k1 :> [by |-> c1, n |-> 1])\n/\\ history = <<<<c1, k1>>>>"};

    private static SwimLane picture() throws Exception {
        StringBuilder text = new StringBuilder();
        for (String state : STATES) {
            text.append(TlcOutputTest.message(2217, 4, state + "\n"));
        }
        text.append(TlcOutputTest.message(2122, 4, "2: Back to state: <Ask line 1, col 1 to line 1, col 2 of module Toy>"));
        SpecText spec = new SpecText();
        spec.add("Toy", Files.readString(Toy.ORIGINAL.resolve("Toy.tla")));
        Job job = new Job("Toy", "Starve", Job.Kind.MUTANT, Path.of("x"), "Starve", null, new Job.Expected("AllDone"), null, null, List.of(), null,
                List.of(), List.of(), false, Job.Size.CI, "LockFree", null, "or somebody waits.", null);
        return Counterexample.of(new Result(job, new Verdict(Verdict.Kind.VIOLATES, "AllDone", null), TlcOutputTest.read(text.toString()), 13, 1,
                List.of(), Path.of("x")), spec);
    }

    @Test
    void drawsText() throws Exception {
        assertEquals("""
                # │ action               │ client c1            │ TM          │ key k1
                ──┼──────────────────────┼──────────────────────┼─────────────┼─────────────────────
                1 │ Ask                  │ phase: idle → asking │             │
                  │ VLDB'18 Alg. 9, Ask  │                      │             │
                  │                      │                      │             │
                2 │ Grant                │ phase: asking →      │ holder + c1 │
                  │ VLDB'18 Alg. 9,      │  holding             │             │
                  │  Grant               │                      │             │
                  │                      │                      │             │
                3 │ Release              │ phase: holding →     │ holder − c1 │ store.by: nobody →
                  │ VLDB'18 Alg. 9,      │  done                │             │  c1
                  │  Release             │                      │             │ store.n: 0 → 1
                ↻ and again as after step 1, for ever

                Violated: AllDone. Every client finishes. When it fails, somebody waits for ever.

                Removed: LockFree (VLDB'18 Alg. 9, Grant): nobody else holds the lock. Without it two
                clients write at once.

                Why it is there: or somebody waits.
                """, TextLanes.draw(picture(), 85));
    }

    @Test
    void fitsTheWidth() throws Exception {
        for (int width = 80; width <= 200; width += 7) {
            for (String line : TextLanes.draw(picture(), width).lines().toList()) {
                assertTrue(line.length() <= width, width + ": " + line);
            }
        }
    }

    /** Every text ends within its column: monospace, so the number of characters tells. */
    @Test
    void drawsSvgWithinItsColumns() throws Exception {
        String svg = SvgLanes.draw(picture());
        Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8))).getDocumentElement();
        assertEquals("svg", root.getTagName());
        int width = Integer.parseInt(root.getAttribute("width"));
        NodeList texts = root.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            Element text = (Element) texts.item(i);
            double end = Integer.parseInt(text.getAttribute("x")) + text.getTextContent().length() * 7.3;
            assertTrue(end <= width, text.getTextContent());
        }
        assertTrue(svg.contains("prefers-color-scheme: dark"));
    }

    @Test
    void showsOnlyWhatChanged() {
        assertEquals(List.of("+ <c1, k1>"), changes("<<>>", "<<<<c1, k1>>>>"));
        assertEquals(List.of("− 1"), changes("<<1, 2>>", "<<2>>"));
        assertEquals(List.of("− a", "+ b"), changes("{a, c}", "{b, c}").stream().sorted(java.util.Comparator.reverseOrder()).toList());
        assertEquals(List.of("+ 3"), changes("<<>>", "(5 :> 3)"));
        assertEquals(List.of("0 → 1"), changes("[n |-> 0, by |-> x]", "[n |-> 1, by |-> x]"));
        assertEquals(List.of("none → [n=1]"), changes("\"none\"", "[n |-> 1]"));
    }

    private static List<String> changes(String before, String after) {
        return Change.between(TlaValue.parse(before), TlaValue.parse(after)).stream().map(Change::text).toList();
    }

    @Test
    void sharesWidths() {
        assertEquals("[10, 5, 15]", java.util.Arrays.toString(Wrap.share(new int[] {10, 5, 40}, 30, 8)));
        assertEquals(List.of("commitTable", " [t1]: 0 →", " 2"), Wrap.lines("commitTable[t1]: 0 → 2", 11));
        assertEquals("{}", Json.write(Map.of()));
        assertEquals("[\n  \"a\\\"\\n\",\n  1,\n  null\n]", Json.write(java.util.Arrays.asList("a\"\n", 1, null)));
    }
}
