package org.fencepost.hbase;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A real key distribution center, Apache Kerby, in this JVM on loopback, with its keytabs in one directory. */
final class Kdc implements AutoCloseable {

    static final String REALM = "FENCEPOST.TEST";

    private final Path directory;
    private final SimpleKdcServer server = newServer();

    Kdc(Path directory, long ticketSeconds) throws Exception {
        this.directory = directory;
        int port = freePort();
        server.setWorkDir(directory.toFile());
        server.setKdcRealm(REALM);
        server.setKdcHost("127.0.0.1");
        server.setAllowUdp(false);
        server.setKdcTcpPort(port);
        ticketsLast(ticketSeconds);
        server.init();
        server.start();
        // Kerberos forgives clocks that differ by 5 minutes, which is longer than our tickets last.
        Files.writeString(conf(), "[libdefaults]\ndefault_realm = " + REALM + "\nudp_preference_limit = 1\nclockskew = 5\ndns_lookup_kdc = false\n"
                + "[realms]\n" + REALM + " = {\nkdc = 127.0.0.1:" + port + "\n}\n");
        System.setProperty("java.security.krb5.conf", conf().toString());
    }

    private static SimpleKdcServer newServer() {
        try {
            return new SimpleKdcServer();
        } catch (KrbException e) {
            throw new IllegalStateException(e);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Those that are given out from now on. */
    void ticketsLast(long seconds) {
        server.getKdcConfig().setLong(KdcConfigKey.MAXIMUM_TICKET_LIFETIME, seconds);
        server.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
    }

    /** What a JVM needs to find it. */
    Path conf() {
        return directory.resolve("fencepost-krb5.conf");
    }

    static String principal(String name) {
        return name + "@" + REALM;
    }

    Path keytab(String name) {
        return directory.resolve(name.replace('/', '_') + ".keytab");
    }

    /** A name of a person, or service/localhost. Returns its keytab. */
    Path add(String name) throws KrbException {
        server.createPrincipal(principal(name));
        server.exportPrincipal(principal(name), keytab(name).toFile());
        return keytab(name);
    }

    /** JAAS: who a client of ZooKeeper is, or its server. */
    Path jaas(String section, String name) throws IOException {
        return Files.writeString(directory.resolve(name.replace('/', '_') + ".jaas"), section + " { com.sun.security.auth.module.Krb5LoginModule required"
                + " useKeyTab=true storeKey=true useTicketCache=false doNotPrompt=true keyTab=\"" + keytab(name) + "\" principal=\"" + principal(name) + "\"; };\n");
    }

    @Override
    public void close() throws KrbException {
        server.stop();
    }
}
