package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.list;
import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {

    @TempDir
    Path folder;

    private List<Op> read(String text) throws IOException {
        return HistoryFile.read(Files.writeString(folder.resolve("history"), text));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        List<Op> history = new Histories().op(Type.ok, 0, txn("append", 1, 1, "r", 2, null), txn("append", 1, 1, "r", 2, list(3, 4)), Op.PATH, "ll", Op.START, 64L)
                .op(Type.info, 1, txn("w", 1, -2), txn("w", 1, -2), Op.ERROR, "Lost \"it\", somehow\n: 3 [x]").line(Type.info, "nemesis", null).all();
        Path edn = folder.resolve("history.edn");
        Path json = folder.resolve("history.json");
        HistoryFile.writeEdn(edn, history);
        HistoryFile.writeJson(json, history);
        assertEquals(history, HistoryFile.read(edn));
        assertEquals(history, HistoryFile.read(json));
        assertEquals("{:index 1, :time 1000, :type :ok, :process 0, :f :txn, :value [[:append 1 1] [:r 2 [3 4]]], :path :ll, :start-ts 64}",
                Files.readAllLines(edn).get(1));
        assertEquals("{\"index\":1,\"time\":1000,\"type\":\"ok\",\"process\":0,\"f\":\"txn\",\"value\":[[\"append\",1,1],[\"r\",2,[3,4]]],\"path\":\"ll\",\"start-ts\":64}",
                Files.readAllLines(json).get(1));
    }

    /** As Jepsen's own history has it, whichever text it is. */
    @Test
    void anErrorIsAText() throws IOException {
        Path edn = folder.resolve("history.edn");
        HistoryFile.writeEdn(edn, new Histories().line(Type.fail, 0L, null, Op.ERROR, "CONFLICT", Op.PATH, "ll").all());
        assertEquals("{:index 0, :time 0, :type :fail, :process 0, :f :txn, :value nil, :error \"CONFLICT\", :path :ll}", Files.readString(edn).strip());
    }

    @Test
    void asJepsenWritesIt() throws IOException {
        List<Op> history = read("""
                ; a comment
                #jepsen.history.Op{:index 0 :time 12 :type :invoke :process 3 :f :read :value nil}
                {:type :ok, :process 3, :f :read, :value {0 10, 1 -4}, :error [:timeout "a\\u0041\\n" \\c 1.5], :seen #{1 2}}
                """);
        assertEquals(2, history.size());
        assertEquals(12, history.get(0).time());
        assertEquals(3L, history.get(0).process());
        assertEquals(Map.of(0L, 10L, 1L, -4L), history.get(1).value());
        assertEquals(List.of("timeout", "aA\n", "\\c", 1.5), history.get(1).more().get("error"));
        assertEquals(List.of(1L, 2L), history.get(1).more().get("seen"));
        assertEquals(history, read("[" + "{:index 0 :time 12 :type :invoke :process 3 :f :read :value nil}"
                + "{:type :ok, :process 3, :f :read, :value {0 10, 1 -4}, :error [:timeout \"aA\\n\" \\c 1.5], :seen (1 2)}]"));
    }

    @Test
    void whatIsNoHistory() {
        for (String text : List.of("{:type :ok", "{:type}", "\"open", "{:f :txn :process 0}", "{:f :txn :process 0 :type :perhaps}", "7", "{\"type\": }", "]", "[".repeat(100_000),
                "{:type :ok :process 99999999999999999999 :f :txn}")) {
            assertThrows(IllegalArgumentException.class, () -> read(text), text);
        }
    }
}
