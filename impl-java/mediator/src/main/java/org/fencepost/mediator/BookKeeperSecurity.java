package org.fencepost.mediator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.commons.configuration.ConfigurationException;

/**
 * How the log is protected: by TLS and authentication on connections to bookies, which BookKeeper's client does if its properties
 * say so, and by a password of the ledgers. The password is the key of a checksum in each entry (a MAC): what is put on a bookie without it is not
 * taken for the log. BookKeeper keeps it with the ledgers' metadata in ZooKeeper, where ACLs must protect it.
 *
 * @param properties BookKeeper's; null for its defaults
 * @param passwords  of the ledgers, the one for new ledgers first
 */
public record BookKeeperSecurity(Path properties, List<byte[]> passwords) {

    private static final String TLS = "tls";
    private static final String TLS_PROVIDER = "tlsProviderFactoryClass";
    private static final String AUTHENTICATION = "clientAuthProviderFactoryClass";
    private static final String TLS_TRUST = "tlsTrustStore";
    private static final String TLS_HOST_NAMES = "tlsHostnameVerificationEnabled";
    private static final List<String> OURS = List.of("metadataServiceUri", "zkServers", "zkLedgersRootPath", "useV2WireProtocol", "delayEnsembleChange");
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_PASSWORDS = 16;
    private static final byte[] NO_PASSWORD = {};

    static final BookKeeperSecurity NONE = new BookKeeperSecurity(null, List.of(NO_PASSWORD));

    /**
     * Reads and checks the files; null for none.
     *
     * @throws IllegalArgumentException with a sentence, for what cannot be read or makes no sense
     */
    public static BookKeeperSecurity read(Path properties, Path passwords) {
        BookKeeperSecurity read = new BookKeeperSecurity(properties, passwords == null ? NONE.passwords() : readPasswords(passwords));
        read.client();
        return read;
    }

    private static List<byte[]> readPasswords(Path file) {
        List<byte[]> passwords = text("--ledger-passwords", file).lines().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
        if (passwords.isEmpty() || passwords.get(0).length == 0 || passwords.size() > MAX_PASSWORDS) {
            throw new IllegalArgumentException("The file --ledger-passwords " + file + " must have a password in its first line, and at most "
                    + MAX_PASSWORDS + " lines.");
        }
        return passwords;
    }

    private static String text(String option, Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException("The file " + option + " " + file + " has more than " + MAX_BYTES + " bytes.");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("The file " + option + " " + file + " cannot be read: " + e, e);
        }
    }

    /** A new configuration of BookKeeper's client, by the older of its two protocols, which costs less. TLS and authentication want the newer one. */
    ClientConfiguration client() {
        ClientConfiguration conf = new ClientConfiguration().setUseV2WireProtocol(true);
        if (properties == null) {
            return conf;
        }
        text("--bookkeeper-conf", properties); // read by us first, for the sake of the message
        ClientConfiguration given = new ClientConfiguration();
        try {
            given.loadConf(properties.toUri().toURL());
        } catch (ConfigurationException | IOException e) {
            throw new IllegalArgumentException("The file --bookkeeper-conf " + properties + " holds no properties: " + e.getMessage() + ".", e);
        }
        for (String key : OURS) {
            require(!given.containsKey(key), "must not set " + key + ", which the transaction manager sets itself");
        }
        requireTls(given);
        conf.loadConf(given);
        return conf.setUseV2WireProtocol(!conf.containsKey(TLS_PROVIDER) && !conf.containsKey(AUTHENTICATION));
    }

    /** A misspelt key would leave connections open to all, and BookKeeper would not tell. */
    private void requireTls(ClientConfiguration conf) {
        boolean wanted = false;
        for (Iterator<?> keys = conf.getKeys(); keys.hasNext();) {
            wanted |= String.valueOf(keys.next()).startsWith(TLS);
        }
        if (wanted) {
            require(!conf.getString(TLS_PROVIDER, "").isEmpty() && !conf.getString(TLS_TRUST, "").isEmpty(),
                    "sets a key for TLS: it needs " + TLS_PROVIDER + " and " + TLS_TRUST + ", too");
            require(Files.isReadable(Path.of(conf.getString(TLS_TRUST))), "names a " + TLS_TRUST + " that cannot be read: " + conf.getString(TLS_TRUST));
            conf.setProperty(TLS_HOST_NAMES, conf.getBoolean(TLS_HOST_NAMES, true));
            conf.setTLSProvider("JDK"); // the other one comes with a native library, which is not here
        }
    }

    private void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("The file --bookkeeper-conf " + properties + " " + rule + ".");
        }
    }

    DigestType digest() {
        return passwords.get(0).length == 0 ? DigestType.CRC32C : DigestType.MAC;
    }
}
