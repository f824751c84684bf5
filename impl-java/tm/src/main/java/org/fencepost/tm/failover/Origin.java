package org.fencepost.tm.failover;

import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;

/**
 * Says whether there is a system of transaction managers here that may go on, or begin. A challenger asks before it takes the lease; what
 * is wrong is then told by one sentence, and nobody serves until an operator has put it right. Public for the simulator.
 */
@FunctionalInterface
public interface Origin {

    /** For simulators: a system that begins at timestamp 0 and has no identity. */
    Origin NONE = () -> new Ground("", 0);

    /**
     * What a new primary stands on.
     *
     * @param identity of the system; never null
     * @param maxTs    the durable limit that was found, or a lower one: it never sinks
     */
    record Ground(String identity, long maxTs) {
    }

    /**
     * Called again for each takeover; may take long.
     *
     * @throws UnreachableException     if it could not find out: ask again
     * @throws IllegalArgumentException with one sentence, if timestamps could be given twice, or to whom they are not meant for
     */
    Ground ground() throws UnreachableException;
}
