package org.fencepost.audit.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.audit.traces.TraceCheck.Kind;
import org.fencepost.audit.traces.TraceCheck.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces of two processes, one killed and the other its successor: as they should be, and altered. Real ones are checked where transaction managers
 * are tested.
 */
class ManagerTracesTest {
    private static final Path SPECS = Path.of("../../specs");
    private static final String HEADER = """
            {"protocol":"TMFailover","format":1,"process":"%s","lease":1000,"patience":1200,"leap":2,"epoch":100}
            """;

    /** Its second renewal is executed, but not answered; so is its last, before it is killed in mid-line. */
    private static final String A = HEADER.formatted("a") + """
            {"action":"ReadLease","version":0,"writer":""}
            {"action":"ObserveLease","tm":"a","clock":10,"version":0}
            {"action":"AcquireLease","tm":"a","clock":20,"version":0}
            {"action":"WriteLease","version":1,"writer":"a"}
            {"action":"ReadMaxTs","version":0,"writer":"","limit":0}
            {"action":"TakeOver","tm":"a","clock":30,"epoch":0}
            {"action":"ExtendEpoch","tm":"a","clock":31,"limit":100}
            {"action":"SwapMaxTs","version":1,"writer":"a","limit":100}
            {"action":"HoldEpoch","tm":"a","clock":40,"limit":100}
            {"action":"Begin","tm":"a","clock":50,"txn":2}
            {"action":"Begin","tm":"a","clock":60,"txn":4}
            {"action":"RequestCommit","tm":"a","clock":70,"txn":2,"answer":6,"keys":"1 2"}
            {"action":"RequestCommit","tm":"a","clock":80,"txn":4,"answer":-11,"keys":"2"}
            {"action":"RenewLease","tm":"a","clock":800,"version":1}
            {"action":"ReadLease","version":2,"writer":"a"}
            {"action":"ObserveLease","tm":"a","clock":830,"version":2}
            {"action":"RenewLease","tm":"a","clock":840,"version":2}
            {"action":"WriteLease","version":3,"writer":"a"}
            {"action":"Begin","tm":"a","clock":852,"txn":8}
            {"action":"HoldLease","tm":"a","clock":850,"version":3}
            {"action":"Begin","tm":"a","clock":900,"txn":10}
            {"action":"RenewLease","tm":"a","clock":1640,"version":3}
            {"action":"Begin","tm""";

    private static final String B = HEADER.formatted("b") + """
            {"action":"ReadLease","version":1,"writer":"a"}
            {"action":"ObserveLease","tm":"b","clock":5000000005,"version":1}
            {"action":"ReadLease","version":3,"writer":"a"}
            {"action":"ObserveLease","tm":"b","clock":5000000100,"version":3}
            {"action":"ReadLease","version":4,"writer":"a"}
            {"action":"ObserveLease","tm":"b","clock":5000000200,"version":4}
            {"action":"AcquireLease","tm":"b","clock":5000001500,"version":4}
            {"action":"WriteLease","version":5,"writer":"b"}
            {"action":"ReadMaxTs","version":1,"writer":"a","limit":100}
            {"action":"TakeOver","tm":"b","clock":5000001520,"epoch":100}
            {"action":"ExtendEpoch","tm":"b","clock":5000001521,"limit":200}
            {"action":"SwapMaxTs","version":2,"writer":"b","limit":200}
            {"action":"HoldEpoch","tm":"b","clock":5000001530,"limit":200}
            {"action":"RequestCommit","tm":"b","clock":5000001540,"txn":8,"answer":-12,"keys":"1"}
            {"action":"Begin","tm":"b","clock":5000001550,"txn":100}
            {"action":"RequestCommit","tm":"b","clock":5000001560,"txn":100,"answer":102,"keys":"1"}
            """;

    @TempDir
    Path folder;

    /** @param says a part of the sentence */
    private record Case(Kind expected, String says, String a, String b) {
    }

    private static Case withA(Kind expected, String says, String was, String becomes) {
        return new Case(expected, says, replaced(A, was, becomes), B);
    }

    private static Case withB(Kind expected, String says, String was, String becomes) {
        return new Case(expected, says, A, replaced(B, was, becomes));
    }

    private static String replaced(String text, String was, String becomes) {
        assertTrue(text.contains(was), was);
        return text.replace(was, becomes);
    }

    private static final List<Case> CASES = List.of(
            new Case(Kind.ACCEPTED, "All ", A, B),
            new Case(Kind.ACCEPTED, "The last 8 steps are not checked",
                    A.substring(0, A.indexOf("{\"action\":\"RenewLease\",\"tm\":\"a\",\"clock\":1640")), B),
            withB(Kind.ACCEPTED, "All ", "\"answer\":102,\"keys\":\"1\"", "\"answer\":102,\"keys\":\"\""), // Omid 2PC
            withB(Kind.REJECTED, "\"AcquireLease\"", "5000001500", "5000001300"), // it did not wait long enough
            withB(Kind.REJECTED, "\"TakeOver\"", "1520,\"epoch\":100", "1520,\"epoch\":0"),
            withB(Kind.REJECTED, "\"TakeOver\"", "{\"action\":\"WriteLease\",\"version\":5,\"writer\":\"b\"}\n", ""),
            withB(Kind.REJECTED, "\"RequestCommit\"", "-12", "102"), // who began under another may have a conflict
            withB(Kind.REJECTED, "\"Begin\"", "\"txn\":100", "\"txn\":12"),
            withA(Kind.REJECTED, "\"Begin\"", "\"clock\":900", "\"clock\":1900"), // the lease had run out
            withA(Kind.REJECTED, "\"Begin\"", "\"txn\":10}", "\"txn\":8}"), // given twice
            withA(Kind.REJECTED, "\"ExtendEpoch\"", "{\"action\":\"TakeOver\",\"tm\":\"a\",\"clock\":30,\"epoch\":0}\n", ""),
            withA(Kind.REJECTED, "\"RenewLease\"", "\"clock\":840", "\"clock\":820"),
            withB(Kind.REJECTED, "No order of the writes", "\"version\":4,\"writer\"", "\"version\":2,\"writer\""), // after it had read version 3
            withB(Kind.REJECTED, "told in two ways", "\"version\":3,\"writer\":\"a\"", "\"version\":3,\"writer\":\"b\""),
            withB(Kind.REJECTED, "it is no event", "{\"action\":\"ReadLease\",\"version\":4", "\"version\":4"),
            withB(Kind.REJECTED, "it is no event of Begin", ",\"txn\":100}", "}"),
            withB(Kind.UNSUPPORTED, "no trace of the transaction manager c", "\"version\":4,\"writer\":\"a\"", "\"version\":4,\"writer\":\"c\""),
            withB(Kind.UNSUPPORTED, "no action Levitate", "TakeOver", "Levitate"),
            withB(Kind.UNSUPPORTED, "different settings", "\"lease\":1000", "\"lease\":900"),
            withB(Kind.UNSUPPORTED, "is not the trace of a transaction manager", HEADER.formatted("b"), ""));

    @Test
    void mergedTraces() throws Exception {
        List<ManagerTraces.Merged> merged = new ArrayList<>();
        for (Case each : CASES) {
            Path place = Files.createDirectories(folder.resolve("case-" + merged.size()));
            Files.writeString(place.resolve("tm-a.ndjson"), each.a);
            Files.writeString(place.resolve("tm-b.ndjson"), each.b);
            merged.add(ManagerTraces.merge(ManagerTraces.in(place), place));
        }
        List<Path> files = merged.stream().filter(m -> m.problem() == null).map(ManagerTraces.Merged::file).toList();
        List<Outcome> checked = new ArrayList<>(TraceCheck.check(files, SPECS, folder.resolve("run")));
        for (int i = 0; i < merged.size(); i++) {
            Outcome outcome = merged.get(i).problem() == null ? merged.get(i).outcome(checked.remove(0)) : merged.get(i).problem();
            assertEquals(CASES.get(i).expected, outcome.kind(), i + ": " + outcome.message());
            assertTrue(outcome.message().contains(CASES.get(i).says), i + ": " + outcome.message());
        }
    }

    /** Requests are left out, but for the first and the last between two steps. */
    @Test
    void theFirstAndTheLastRequestAreTold() throws Exception {
        StringBuilder more = new StringBuilder();
        for (int ts = 10; ts <= 90; ts += 2) {
            more.append("{\"action\":\"Begin\",\"tm\":\"a\",\"clock\":").append(860 + ts).append(",\"txn\":").append(ts).append("}\n");
        }
        Path place = Files.createDirectories(folder.resolve("many"));
        Files.writeString(place.resolve("tm-a.ndjson"),
                replaced(A, "{\"action\":\"Begin\",\"tm\":\"a\",\"clock\":900,\"txn\":10}\n", more.toString()));
        List<String> lines = Files.readAllLines(ManagerTraces.merge(ManagerTraces.in(place), place).file());
        assertEquals(List.of("852", "950"), lines.stream().filter(l -> l.contains("\"Begin\"")).map(l -> l.replaceAll(".*\"clock\":(\\d+).*", "$1"))
                .filter(c -> Integer.parseInt(c) > 850).toList());
    }

    @Test
    void aFolderIsOneTrace() throws Exception {
        Files.writeString(folder.resolve("tm-a.ndjson"), A);
        assertEquals(List.of(folder.resolve("tm-a.ndjson")), ManagerTraces.in(folder));
        assertEquals(Kind.UNSUPPORTED, ManagerTraces.check(List.of(), SPECS, folder, null).kind());
        assertEquals(Kind.UNSUPPORTED, TraceCheck.check(ManagerTraces.in(folder), SPECS, folder.resolve("run")).get(0).kind());
    }
}
