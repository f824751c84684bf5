package org.fencepost.ph1.group;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where an instance of the middleware listens, and where it finds the others.
 *
 * @param cluster      name of the group; who has another one is not let in
 * @param bind         address and port to listen on; the port 100 above is taken, too
 * @param members      addresses and ports of all instances, its own among them
 * @param suspectMillis after so long without a sign of life a member is taken for dead, unless its connection breaks before
 * @param callMillis   after so long a request to a member fails
 */
public record GroupSettings(String cluster, InetSocketAddress bind, List<InetSocketAddress> members, long suspectMillis, long callMillis) {

    /** Throws IllegalArgumentException, with a sentence, for what makes no sense. */
    public GroupSettings {
        members = List.copyOf(members);
        if (cluster.isBlank() || !members.contains(bind) || suspectMillis < 10 || callMillis < 1) {
            throw new IllegalArgumentException("A group has a name, an address that is one of its members', and time limits of at least 10 and 1 ms: not "
                    + cluster + ", " + bind + ", " + members + ", " + suspectMillis + ", " + callMillis + ".");
        }
    }

    /** The same with limits of 4 s and 2 s. */
    public static GroupSettings of(String cluster, InetSocketAddress bind, List<InetSocketAddress> members) {
        return new GroupSettings(cluster, bind, members, 4_000, 2_000);
    }
}
