package org.fencepost.clustertest.verdict;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.traces.ManagerTraces;
import org.fencepost.audit.traces.TraceCheck;

/** What the specifications say to the traces of a run: those of a single client before and after the load, and those of the transaction managers' processes. */
public final class TraceVerdict {

    private final List<String> wrong = new ArrayList<>();
    private final List<String> open = new ArrayList<>();

    private TraceVerdict() {
    }

    /**
     * The worst of all.
     *
     * @param calm   see {@code CalmTrace}
     * @param nodes  what the nodes wrote; null where transaction managers write no traces
     * @param folder for the model checker
     */
    public static Verdict of(List<Path> calm, Path nodes, Path specs, Path folder) throws IOException, InterruptedException {
        String given = System.getenv("TLA2TOOLS"); // which the launcher sets
        Path tlc = given == null ? null : Path.of(given);
        TraceVerdict all = new TraceVerdict();
        List<Path> managers = nodes == null ? List.of() : ManagerTraces.in(nodes);
        String told = calm.size() + " of a client before and after the load";
        try {
            List<TraceCheck.Outcome> outcomes = TraceCheck.check(calm, specs, folder.resolve("clients"), tlc);
            for (int i = 0; i < calm.size(); i++) {
                all.add(calm.get(i).getFileName().toString(), outcomes.get(i));
            }
            if (nodes != null) {
                TraceCheck.Outcome outcome = ManagerTraces.check(managers, specs, folder.resolve("managers"), tlc);
                all.add("transaction managers", outcome);
                told += ", and " + managers.size() + " of transaction managers' processes, merged: " + outcome.message();
            }
        } catch (AuditException e) {
            all.open.add(e.getMessage());
        }
        return !all.wrong.isEmpty() ? Verdict.invalidFor(all.wrong, "") : Verdict.unknownFor(all.open, told);
    }

    private void add(String what, TraceCheck.Outcome outcome) {
        if (outcome.kind() != TraceCheck.Kind.ACCEPTED) {
            (outcome.kind() == TraceCheck.Kind.REJECTED ? wrong : open).add(what + " " + outcome.kind().name().toLowerCase() + ": " + outcome.message());
        }
    }
}
