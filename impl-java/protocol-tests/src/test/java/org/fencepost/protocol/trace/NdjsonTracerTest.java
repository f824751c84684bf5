package org.fencepost.protocol.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.omid.Faults;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.World;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.Test;

class NdjsonTracerTest {

    @Test
    void oneLinePerEventAndACountAtTheEnd() {
        StringWriter out = new StringWriter();
        World world = new World();
        try (Tracer tracer = new NdjsonTracer(out)) {
            OmidLL<String, String> traced = world.client(World.SETTINGS, tracer);
            OmidLLTransaction<String, String> pending = traced.begin();
            traced.write(pending, Map.of("a", Write.of("1")));
            OmidLLTransaction<String, String> reader = traced.begin();
            traced.read(reader, "a");
            traced.finishCommit(traced.commit(reader));
            assertThrows(TransactionAbortedException.class, () -> traced.commit(pending));
            OmidLLTransaction<String, String> writer = traced.begin();
            traced.buffer(writer, "b\n\"\\", Write.tombstone());
            traced.finishCommit(traced.commit(writer));
        }
        assertEquals(List.of(
                "{\"protocol\":\"OmidLL\",\"format\":1}",
                "{\"action\":\"Begin\",\"txn\":1}",
                "{\"action\":\"Write\",\"txn\":1,\"key\":\"a\",\"delete\":false}",
                "{\"action\":\"Begin\",\"txn\":2}",
                "{\"action\":\"GetRecord\",\"txn\":2,\"key\":\"a\",\"met\":1,\"commit\":0}",
                "{\"action\":\"GetCommitEntry\",\"txn\":2,\"met\":1,\"entry\":0}",
                "{\"action\":\"InvalidatePending\",\"txn\":2,\"met\":1,\"previous\":0}",
                "{\"action\":\"ReReadRecord\",\"txn\":2,\"key\":\"a\",\"met\":1,\"gone\":false,\"commit\":0}",
                "{\"action\":\"GetRecord\",\"txn\":2,\"key\":\"a\",\"met\":0,\"commit\":0}",
                "{\"action\":\"EndReadOnly\",\"txn\":2}",
                "{\"action\":\"RequestCommit\",\"txn\":1,\"answer\":3}",
                "{\"action\":\"WriteCommitEntry\",\"txn\":1,\"commit\":3,\"previous\":-1}",
                "{\"action\":\"CleanUp\",\"txn\":1,\"key\":\"a\"}",
                "{\"action\":\"Begin\",\"txn\":4}",
                "{\"action\":\"Write\",\"txn\":4,\"key\":\"b\\u000a\\\"\\\\\",\"delete\":true}",
                "{\"action\":\"RequestCommit\",\"txn\":4,\"answer\":5}",
                "{\"action\":\"WriteCommitEntry\",\"txn\":4,\"commit\":5,\"previous\":0}",
                "{\"action\":\"PostCommit\",\"txn\":4,\"key\":\"b\\u000a\\\"\\\\\",\"commit\":5}",
                "{\"action\":\"RemoveCommitEntry\",\"txn\":4}",
                "{\"end\":true,\"events\":18}"), out.toString().lines().toList());
    }

    @Test
    void anAccountOfTheEndStandsBeforeTheEndMarkerAndCounts() {
        StringWriter out = new StringWriter();
        try (NdjsonTracer tracer = new NdjsonTracer(out, "seed", 1)) {
            tracer.event(Action.Begin, "txn", 1);
            tracer.account("Transaction", "met", 1, "told", "committed", "reads", 0, "entry", 0);
        }
        assertEquals(List.of(
                "{\"protocol\":\"OmidLL\",\"format\":1,\"seed\":1}",
                "{\"action\":\"Begin\",\"txn\":1}",
                "{\"account\":\"Transaction\",\"met\":1,\"told\":\"committed\",\"reads\":0,\"entry\":0}",
                "{\"end\":true,\"events\":2}"), out.toString().lines().toList());
    }

    @Test
    void lostAnswersAreTraced() {
        StringWriter out = new StringWriter();
        World world = new World();
        OmidLL<String, String> traced = world.client(World.SETTINGS, new NdjsonTracer(out));
        OmidLLTransaction<String, String> tx = traced.begin();
        world.hook = Faults.loseRequest("VersionedStore.put", 1);
        assertThrows(StoreException.class, () -> traced.write(tx, Map.of("a", Write.of("1"))));
        traced.read(tx, "a");
        traced.write(tx);
        traced.read(tx, "a");
        world.hook = Faults.loseAnswer("CommitTable.checkAndMutate", 1);
        traced.commit(tx);
        assertEquals(List.of(
                "{\"protocol\":\"OmidLL\",\"format\":1}",
                "{\"action\":\"Begin\",\"txn\":1}",
                "{\"action\":\"Write\",\"txn\":1,\"key\":\"a\",\"delete\":false,\"lost\":true}",
                "{\"action\":\"Write\",\"txn\":1,\"key\":\"a\",\"delete\":false}",
                "{\"action\":\"ReadOwnWrite\",\"txn\":1,\"key\":\"a\"}",
                "{\"action\":\"RequestCommit\",\"txn\":1,\"answer\":2}",
                "{\"action\":\"WriteCommitEntry\",\"txn\":1,\"commit\":2,\"lost\":true}",
                "{\"action\":\"WriteCommitEntry\",\"txn\":1,\"commit\":2,\"previous\":2}"), out.toString().lines().toList());
    }

    @Test
    void abortsAreTraced() {
        StringWriter out = new StringWriter();
        World world = new World();
        OmidLL<String, String> traced = world.client(World.SETTINGS, new NdjsonTracer(out));
        OmidLLTransaction<String, String> lost = traced.begin();
        traced.write(lost, Map.of("a", Write.of("1")));
        world.hook = Faults.loseAnswer("TransactionManager.commit", 1);
        assertThrows(TransactionAbortedException.class, () -> traced.commit(lost));
        OmidLLTransaction<String, String> expired = traced.begin();
        world.clock.advance(World.LIFETIME + 1);
        assertThrows(TransactionAbortedException.class, () -> traced.read(expired, "a"));
        assertEquals(List.of("Begin", "Write", "LoseCommitAnswer", "CleanUp", "Begin", "Rollback"),
                out.toString().lines().skip(1).map(line -> line.split("\"")[3]).toList());
    }

    @Test
    void everyActionOfTheCollectorIsTraced() {
        StringWriter out = new StringWriter();
        World world = new World();
        world.put("a", "1");
        world.put("a", "2");
        world.put("b", null);
        OmidLLTransaction<String, String> committed = world.ll.begin();
        world.write(committed, "c", "1");
        world.ll.commit(committed);
        OmidLLTransaction<String, String> pending = world.ll.begin();
        world.write(pending, "d", "1");
        world.manager.end(pending.startTs());
        new Collector<>(world.store, world.commitTable, world.manager, new NdjsonTracer(out)).collect(List.of("a", "b", "c", "d"));
        for (Action action : List.of(Action.RaiseWatermark, Action.HealLeftover, Action.InspectLeftover, Action.CleanLeftover,
                Action.CollectEntry, Action.CollectVersion, Action.CollectTombstone)) {
            assertEquals(1, out.toString().lines().filter(line -> line.contains("\"" + action + "\"")).count(), action + " in\n" + out);
        }
    }

    @Test
    void offIsOff() {
        assertFalse(Tracer.OFF.on());
        Tracer.OFF.event(Action.Begin);
        Tracer.OFF.close();
    }

    @Test
    void aTraceThatCannotBeWrittenIsNotSilentlyLost() {
        boolean[] full = {false};
        Tracer tracer = new NdjsonTracer(new Writer() {
            @Override
            public void write(char[] buffer, int offset, int length) throws IOException {
                if (full[0]) {
                    throw new IOException("disk full");
                }
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        });
        full[0] = true;
        assertThrows(UncheckedIOException.class, () -> tracer.event(Action.Begin, "txn", 1));
    }
}
