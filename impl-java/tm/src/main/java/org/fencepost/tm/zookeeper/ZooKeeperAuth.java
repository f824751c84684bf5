package org.fencepost.tm.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * Who the transaction managers are to ZooKeeper, and what that means for their nodes: whoever created them has all rights, and nobody
 * else any, but for the lease, which clients read to find the primary. Primary and backups need the same.
 */
public final class ZooKeeperAuth {

    /** As anybody: whoever reaches ZooKeeper may do with the nodes what he likes. */
    public static final ZooKeeperAuth NONE = new ZooKeeperAuth(null);
    private static final ZooKeeperAuth SASL = new ZooKeeperAuth(null);
    private static final String JAAS = "java.security.auth.login.config";

    /** user:password; null unless that is the way. */
    private final byte[] digest;

    private ZooKeeperAuth(byte[] digest) {
        this.digest = digest;
    }

    /**
     * Throws IllegalArgumentException, with a sentence, if it makes no sense.
     *
     * @param option {@code sasl}, by the section Client of the JVM's JAAS configuration; or a file that holds user:password;
     *               or null for none
     */
    public static ZooKeeperAuth of(String option) {
        if (option == null) {
            return NONE;
        }
        if (option.equals("sasl")) {
            if (System.getProperty(JAAS) == null) {
                throw new IllegalArgumentException("--zookeeper-auth sasl needs a JAAS configuration: start the JVM with -D" + JAAS + "=FILE.");
            }
            return SASL;
        }
        String text;
        try {
            text = Files.readString(Path.of(option)).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("The file " + option + " of --zookeeper-auth cannot be read.", e);
        }
        int colon = text.indexOf(':');
        if (colon < 1 || colon == text.length() - 1 || text.lines().count() != 1) {
            throw new IllegalArgumentException("The file " + option + " of --zookeeper-auth must hold one line, user:password.");
        }
        return new ZooKeeperAuth(text.getBytes(StandardCharsets.UTF_8));
    }

    public boolean isNone() {
        return this == NONE;
    }

    void applyTo(CuratorFrameworkFactory.Builder client) {
        if (digest != null) {
            client.authorization("digest", digest);
        }
    }

    /** @param name of the node under the root, or empty for that itself */
    List<ACL> rights(String name) {
        if (isNone()) {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }
        List<ACL> rights = new ArrayList<>(ZooDefs.Ids.CREATOR_ALL_ACL);
        if (name.equals(SharedObjects.LEASE)) {
            rights.addAll(ZooDefs.Ids.READ_ACL_UNSAFE);
        }
        return rights;
    }

    /** Whether anybody may do more with the node than {@link #rights} says. */
    boolean isTooOpen(String name, List<ACL> present) {
        int allowed = name.equals(SharedObjects.LEASE) ? ZooDefs.Perms.READ : 0;
        return !isNone() && present.stream().anyMatch(entry -> entry.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE)
                && (entry.getPerms() & ~allowed) != 0);
    }
}
