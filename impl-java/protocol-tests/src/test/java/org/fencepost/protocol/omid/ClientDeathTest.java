package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.fencepost.protocol.omid.Faults.Death;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/**
 * A client dies at each of its calls in turn, before or after the call takes effect; so does, in each of these cases,
 * the first reader that comes by, at each of its calls. Whoever comes then sees all of the transaction or nothing of
 * it, the same before and after collection, and in the end nothing is left over.
 */
class ClientDeathTest {

    private static final boolean[] NO_YES = {false, true};

    private int cases;
    private int committed;

    @Test
    void duringACommit() {
        enumerate(world -> {
            OmidLLTransaction<String, String> tx = world.ll.begin();
            world.read(tx, "a");
            world.write(tx, "a", "new");
            world.write(tx, "b", "new");
            world.ll.finishCommit(world.ll.commit(tx));
        });
        assertTrue(committed > 0 && committed < cases, committed + " of " + cases);
    }

    @Test
    void duringABatchedDelete() {
        enumerate(world -> {
            OmidLLTransaction<String, String> tx = world.ll.begin();
            world.ll.buffer(tx, "a", Write.tombstone());
            world.ll.buffer(tx, "b", Write.tombstone());
            world.ll.finishCommit(world.ll.commit(tx));
        });
        assertTrue(committed > 0 && committed < cases, committed + " of " + cases);
    }

    @Test
    void duringARollback() {
        enumerate(world -> {
            OmidLLTransaction<String, String> tx = world.ll.begin();
            world.write(tx, "a", "new");
            world.write(tx, "b", "new");
            world.ll.rollback(tx);
        });
        assertEquals(0, committed);
    }

    @Test
    void duringCollection() {
        for (boolean carriedOut : NO_YES) {
            boolean died = true;
            for (int n = 0; died; n++) {
                World world = worldWithData();
                OmidLLTransaction<String, String> halfDone = world.ll.begin();
                world.write(halfDone, "a", "new");
                world.write(halfDone, "b", "new");
                world.ll.commit(halfDone);
                world.write(world.ll.begin(), "c", "never committed");
                world.clock.advance(100 * World.MANAGER_LIFETIME);
                world.manager.collectableBelow();
                world.clock.advance(100 * World.MANAGER_LIFETIME);
                died = dies(world, n, carriedOut, w -> new Collector<>(w.store, w.commitTable, w.manager, Tracer.OFF)
                        .collect(w.memory.keys()));
                assertEquals("new", judge(world, false, "collector died at call " + n));
            }
        }
        assertTrue(cases > 20, cases + " cases");
    }

    /** All deaths of the writer, times all deaths of the reader after it, times who comes first afterwards. */
    private void enumerate(Consumer<World> writer) {
        for (boolean writerCallDone : NO_YES) {
            boolean writerDied = true;
            for (int n = 0; writerDied; n++) {
                for (boolean readerCallDone : NO_YES) {
                    boolean readerDied = true;
                    for (int m = 0; readerDied; m++) {
                        for (boolean collectorFirst : NO_YES) {
                            World world = worldWithData();
                            writerDied = dies(world, n, writerCallDone, writer);
                            readerDied = dies(world, m, readerCallDone, w -> w.readNow("a"));
                            String value = judge(world, collectorFirst, "writer died at call " + n + ", reader at " + m);
                            committed += "old".equals(value) ? 0 : 1;
                        }
                    }
                }
            }
        }
        assertTrue(cases > 200, cases + " cases");
    }

    private static World worldWithData() {
        World world = new World();
        world.put("a", "old", "b", "old");
        return world;
    }

    /** False if the client lived to the end of its script. */
    private static boolean dies(World world, int n, boolean carriedOut, Consumer<World> script) {
        world.hook = Faults.dieAt(n, carriedOut);
        try {
            script.accept(world);
            return false;
        } catch (Death e) {
            return true;
        } finally {
            world.hook = Interposed.Hook.NONE;
        }
    }

    /** Returns the value that both keys have, which must not depend on who comes first. */
    private String judge(World world, boolean collectorFirst, String how) {
        cases++;
        if (collectorFirst) {
            world.collectEverything();
        }
        OmidLLTransaction<String, String> reader = world.ll.begin();
        String value = world.read(reader, "a");
        assertEquals(value, world.read(reader, "b"), how);
        assertEquals(value, world.readNow("a"), how);
        if (!collectorFirst) {
            world.collectEverything();
        }
        assertEquals(value, world.readNow("b"), how);
        world.assertNothingLeftBut(value == null ? Map.of() : Map.of("a", value, "b", value));
        world.put("a", "next");
        assertEquals("next", world.readNow("a"), how);
        assertTrue(Objects.equals(value, world.readNow("b")), how);
        return value;
    }
}
