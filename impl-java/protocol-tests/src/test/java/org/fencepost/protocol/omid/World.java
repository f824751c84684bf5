package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.omid.Interposed.Hook;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/** A store, a commit table and a transaction manager in memory, with one hook around all of them. Strings to strings. */
public final class World {

    public static final long LIFETIME = 1_000;
    static final long MANAGER_LIFETIME = 1_200;
    static final long DEPART = 100;
    public static final OmidLL.Settings SETTINGS = new OmidLL.Settings(LIFETIME, 0, DEPART, 3, true);

    public final TestClock clock = new TestClock();
    /** Without the hook. */
    final InMemoryStore<String, String> memory = new InMemoryStore<>();
    /** Without the hook. */
    final InMemoryCommitTable table = new InMemoryCommitTable();
    final LocalTransactionManager localManager = new LocalTransactionManager(new TransactionManagerCore(
            new TransactionManagerCore.Settings(1, 1024, MANAGER_LIFETIME, 1024), 0, Long.MAX_VALUE, 0, 0, Tracer.OFF), clock);

    /** Applies to all calls from now on. */
    public volatile Hook hook = Hook.NONE;

    public final VersionedStore<String, String> store = wrapStore();
    public final CommitTable commitTable = Interposed.wrap(CommitTable.class, table, call -> hook.around(call));
    public final TransactionManager manager = Interposed.wrap(TransactionManager.class, localManager, call -> hook.around(call));
    public final OmidLL<String, String> ll = client(SETTINGS, Tracer.OFF);

    @SuppressWarnings("unchecked")
    private VersionedStore<String, String> wrapStore() {
        return Interposed.wrap(VersionedStore.class, memory, call -> hook.around(call));
    }

    public OmidLL<String, String> client(OmidLL.Settings settings, Tracer tracer) {
        return new OmidLL<>(store, commitTable, manager, clock, String::hashCode, settings, tracer);
    }

    // ---- shorthands, on the client of this world

    public void write(OmidLLTransaction<String, String> tx, String key, String value) {
        ll.write(tx, Map.of(key, Write.of(value)));
    }

    /** The value in the snapshot; null for nothing and for deleted. */
    String read(OmidLLTransaction<String, String> tx, String key) {
        Record<String> found = ll.read(tx, key);
        return found == null ? null : found.value();
    }

    /** What a transaction that begins now reads. */
    String readNow(String key) {
        OmidLLTransaction<String, String> tx = ll.begin();
        String value = read(tx, key);
        ll.commit(tx);
        return value;
    }

    /** One committed and post-committed transaction that puts these values; null deletes. Keys and values in turn. */
    public OmidLLTransaction<String, String> put(String... keysAndValues) {
        OmidLLTransaction<String, String> tx = ll.begin();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            ll.buffer(tx, keysAndValues[i], new Write<>(keysAndValues[i + 1]));
        }
        ll.finishCommit(ll.commit(tx));
        return tx;
    }

    /** Lets every transaction expire and collects, without faults. */
    void collectEverything() {
        hook = Hook.NONE;
        clock.advance(10 * MANAGER_LIFETIME);
        manager.collectableBelow(); // opens a time slice; what began before it is over a lifetime later
        clock.advance(2 * MANAGER_LIFETIME);
        new Collector<>(store, commitTable, manager, Tracer.OFF).collect(List.copyOf(memory.keys()));
    }

    List<Record<String>> records(String key) {
        List<Record<String>> records = new ArrayList<>();
        for (Iterator<Record<String>> i = memory.get(key, Long.MAX_VALUE); i.hasNext();) {
            records.add(i.next());
        }
        return records;
    }

    /** After a full collection: one committed record per live key and nothing else anywhere. */
    void assertNothingLeftBut(Map<String, String> expected) {
        Map<String, String> found = new TreeMap<>();
        for (String key : memory.keys()) {
            List<Record<String>> records = records(key);
            if (!records.isEmpty()) {
                assertEquals(1, records.size(), () -> key + ": " + records);
                assertEquals(true, records.get(0).hasCommitCell(), () -> key + ": " + records);
                found.put(key, records.get(0).value());
            }
        }
        assertEquals(new TreeMap<>(expected), found);
        assertEquals(0, table.size(), "commit-table entries left");
    }
}
