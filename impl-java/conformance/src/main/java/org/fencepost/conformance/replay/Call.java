package org.fencepost.conformance.replay;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A request of the code that has not reached its server yet: where the code can be held. A request for several keys is
 * one for each of them, in any order.
 */
public final class Call {

    public enum Kind {
        /** A read has lifted the clock of its region server; it waits for fast-path writes; one of these has its version. */
        BUMPED, AWAIT_FAST_WRITES, STORE_VERSION,
        /** A commit in one phase is sent; its server has accepted it; its client looks for it. */
        PUT_BATCH, STORE_BATCH, FIND_BATCH,
        /** Mediator: a server is fenced; it looks for conflicts; nothing was found; a put has its stamp; somebody waits for a put or the time. */
        FENCE, CHECK, CHECK_ANSWER, STORE_PUT, AWAIT_SERVER, APPEND, WRITE_BACK,
        PUT, GET, REREAD, PUT_COMMIT_CELLS, REMOVE,
        GET_ENTRY, CHECK_AND_MUTATE, REMOVE_ENTRY, RAISE_WATERMARK, ENTRIES_BELOW,
        BEGIN, COMMIT, END,
        /** What Mediator's status oracle is told, and asked by its helper. */
        TSO_ABORT, TX_COMMIT, FIND, SETTLE_ENTRY,
        /** The manager has carried out a commit request, and the answer is on its way. */
        COMMIT_ANSWER,
        /** A transaction manager's call to ZooKeeper, and the answer on its way. */
        ZK_READ, ZK_READ_ANSWER, ZK_WRITE, ZK_WRITE_ANSWER
    }

    /** The one row of a request that has no key. */
    public static final String NO_KEY = "";

    public final Kind kind;
    /** The version of the record, or the start timestamp of the entry; for GET, from where on. */
    public final long version;
    private final Map<String, Supplier<?>> rows;

    /** @param rows what the request does for each key; changes as they are carried out */
    public Call(Kind kind, long version, Map<String, Supplier<?>> rows) {
        this.kind = kind;
        this.version = version;
        this.rows = rows;
    }

    /** The keys that are left. */
    public Set<String> keys() {
        return rows.keySet();
    }

    public String key() {
        return rows.keySet().iterator().next();
    }

    /** What the server does for a key, to be done now or later. */
    public Supplier<?> take(String key) {
        return rows.remove(key);
    }

    /** The same of a copy that the network makes. */
    public Supplier<?> copy(String key) {
        return rows.get(key);
    }

    @Override
    public String toString() {
        return kind + (version == 0 ? "" : " " + version) + (rows.containsKey(NO_KEY) ? "" : " " + rows.keySet());
    }
}
