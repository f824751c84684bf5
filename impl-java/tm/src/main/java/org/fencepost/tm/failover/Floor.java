package org.fencepost.tm.failover;

import java.nio.file.Path;
import java.util.List;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;

/**
 * What the tables know of the transaction managers that they are bound to. Where ZooKeeper has lost it, was restored from an old copy, or
 * is another one, they still know who gave their timestamps, and how far those went.
 */
@FunctionalInterface
public interface Floor {

    /** Where there are no tables to ask. */
    Floor NONE = identity -> 0;

    /** Makes it, from what the command line says. */
    @FunctionalInterface
    interface Factory {

        /**
         * Throws IllegalArgumentException, with a sentence, if the options make no sense. Connects to nothing yet.
         *
         * @param commitTables names in HBase; none: there is nothing to compare with
         * @param hbaseSite    HBase's client configuration; null: that on the class path
         */
        Floor open(List<String> commitTables, Path hbaseSite);
    }

    /**
     * Asked before a transaction manager takes the lease; may take long.
     *
     * @param identity of the system that is about to serve
     * @return all timestamps that the tables have seen are below; 0 if they have seen none
     * @throws UnreachableException     if they could not be asked: it is tried again
     * @throws IllegalArgumentException with one sentence that says how to recover, if they are bound to another system
     */
    long floor(String identity) throws UnreachableException;
}
