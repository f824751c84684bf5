package org.fencepost.bench.ph1;

import java.io.IOException;

/** A system that {@link BenchPH1} compares, in the process of its client: tables with one value for each key. Threads share it. */
interface KeyValues extends AutoCloseable {

    /** The system has aborted the transaction. */
    final class Aborted extends Exception {

        private static final long serialVersionUID = 1;

        Aborted(Throwable cause) {
            super(cause);
        }
    }

    /** Takes what a scan finds. */
    interface Found {
        void accept(byte[] key, byte[] value);
    }

    /** One transaction of one thread. Where the system has none, each step is on its own, and the end nothing. */
    interface Tx {

        /** Null if there is nothing. */
        byte[] get(String table, byte[] key) throws IOException, Aborted;

        void put(String table, byte[] key, byte[] value) throws IOException, Aborted;

        /** @param limit of keys, from this one on */
        void scan(String table, byte[] from, int limit, Found found) throws IOException, Aborted;

        void commit() throws IOException, Aborted;

        void rollback() throws IOException;
    }

    Tx begin() throws IOException;

    /** The name in the store, where each system has tables of its own. */
    static String table(String system, String name) {
        return system + "_" + name;
    }

    @Override
    void close() throws IOException;
}
