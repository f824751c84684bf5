package org.fencepost.clustertest;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fencepost.clustertest.verdict.HistoryFile;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.clustertest.workload.Workloads;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges a history that was recorded before, here or by Jepsen. */
@Command(name = "judge", description = "Judges a history, Jepsen's history.edn or JSON lines, as cluster-test does.",
        footer = {"", "Exit code: 0 valid; 1 invalid; 4 unknown, with the reason; 2 this is no history."})
public final class JudgeCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "the history")
    private Path file;

    @Option(names = "--workload", required = true, paramLabel = "NAME", description = "of which workload; cluster-test --list shows them all")
    private String workload;

    @Option(names = "--out", defaultValue = "target/judge", paramLabel = "FOLDER", description = "for what is found (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Workload named = Workloads.named(workload);
        Judgement judgement = Judgement.of(named, history(), out);
        System.out.print(judgement.text());
        System.out.println(file + ": " + judgement.kind());
        return judgement.kind().exitCode;
    }

    private List<Op> history() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("There is no history file " + file + ".");
        }
        try {
            return HistoryFile.read(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is not a history: it is not text in UTF-8.", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " is not a history: " + e.getMessage(), e);
        }
    }
}
