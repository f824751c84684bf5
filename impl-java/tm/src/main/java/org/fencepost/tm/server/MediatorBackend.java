package org.fencepost.tm.server;

import java.util.concurrent.Executor;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.mediator.WriteBack;
import org.fencepost.tm.zookeeper.SharedObjects;

/** What a transaction manager with Mediator stands on: a log, and the database. This module knows neither BookKeeper nor HBase. */
public interface MediatorBackend extends AutoCloseable {

    /** The logs of all oracles, whose write sets are bytes. They may connect when first used. */
    Ledgers<byte[]> ledgers();

    /** Where write sets go. It may connect when first used. */
    WriteBack<byte[]> database();

    @Override
    void close();

    /** Makes it, from what the command line says. */
    @FunctionalInterface
    interface Factory {

        /**
         * Throws IllegalArgumentException, with a sentence, if the options make no sense. Connects to nothing yet.
         *
         * @param shared  where transaction managers agree on what is the log
         * @param serving runs what the ledgers call back, one at a time
         */
        MediatorBackend open(MediatorOptions options, SharedObjects shared, Executor serving);
    }
}
