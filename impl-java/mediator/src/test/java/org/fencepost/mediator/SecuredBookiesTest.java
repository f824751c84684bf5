package org.fencepost.mediator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.api.BKException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers.Closed;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real bookie that asks for TLS and for a name and password (SASL, DIGEST-MD5), and ledgers with passwords. */
class SecuredBookiesTest {

    private static final String AUTHENTICATION = "clientAuthProviderFactoryClass=org.apache.bookkeeper.sasl.SASLClientProviderFactory\n";
    private static final int ATTEMPTS = 5;
    private static final byte[] WRITES = "what the transaction wrote".getBytes(StandardCharsets.UTF_8);

    @TempDir
    static Path directory;
    private static Bookies bookies;
    private static String tls;

    /** ZooKeeper's part: one object. */
    private final Map<String, SharedObjects.Versioned> objects = new HashMap<>();
    private final SharedObjects shared = new SharedObjects() {
        @Override
        public Versioned read(String name) {
            return objects.getOrDefault(name, new Versioned("", 0));
        }

        @Override
        public int compareAndSet(String name, String text, int version) {
            objects.put(name, new Versioned(text, version + 1));
            return version + 1;
        }
    };
    private final List<BookKeeperLedgers> opened = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        Path store = directory.resolve("bookie.p12");
        keytool("-genkeypair", "-alias", "bookie", "-dname", "CN=bookie", "-ext", "san=ip:127.0.0.1", "-keyalg", "EC", "-keystore", store.toString(),
                "-storetype", "PKCS12", "-storepass", "changeit");
        keytool("-exportcert", "-rfc", "-alias", "bookie", "-keystore", store.toString(), "-storepass", "changeit", "-file", directory + "/bookie.pem");
        tls = "tlsProviderFactoryClass=org.apache.bookkeeper.tls.TLSContextFactory\ntlsTrustStoreType=PEM\ntlsTrustStore=" + directory + "/bookie.pem\n";
        Path password = file("store.password", "changeit");
        Path conf = file("bookie.conf", "tlsProvider=JDK\ntlsProviderFactoryClass=org.apache.bookkeeper.tls.TLSContextFactory\ntlsKeyStoreType=PKCS12\n"
                + "tlsKeyStore=" + store + "\ntlsKeyStorePasswordPath=" + password + "\ntlsTrustStoreType=PKCS12\ntlsTrustStore=" + store
                + "\ntlsTrustStorePasswordPath=" + password + "\nbookieAuthProviderFactoryClass=org.apache.bookkeeper.sasl.SASLBookieAuthProviderFactory\n"
                + "saslJaasClientAllowedIds=tm\n");
        Path jaas = file("jaas.conf", "Bookie { org.apache.zookeeper.server.auth.DigestLoginModule required user_tm=\"secret\"; };\n"
                + "BookKeeper { org.apache.zookeeper.server.auth.DigestLoginModule required username=\"tm\" password=\"secret\"; };\n"
                + "Stranger { org.apache.zookeeper.server.auth.DigestLoginModule required username=\"tm\" password=\"guessed\"; };\n");
        System.setProperty("java.security.auth.login.config", jaas.toString()); // the client is in this process
        bookies = new Bookies(directory, 1, "-D" + LocalBookie.MORE + "=" + conf, "-Djava.security.auth.login.config=" + jaas);
    }

    @AfterAll
    static void stop() {
        System.clearProperty("java.security.auth.login.config");
        bookies.close();
    }

    @AfterEach
    void close() {
        opened.forEach(BookKeeperLedgers::close);
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** @param passwords null for none */
    private BookKeeperLedgers ledgers(String client, String passwords) throws IOException {
        BookKeeperSecurity security = BookKeeperSecurity.read(file("client.conf", client), passwords == null ? null : file("passwords", passwords));
        BookKeeperLedgers ledgers = new BookKeeperLedgers(new BookKeeperLedgers.Settings(bookies.metadata(), 1, 1 << 20, security), shared, Runnable::run);
        opened.add(ledgers);
        return ledgers;
    }

    private void append(BookKeeperLedgers ledgers, long commitTs) throws Exception {
        ledgers.closeLog();
        Ledger<byte[]> ledger = ledgers.create();
        CompletableFuture<Exception> answer = new CompletableFuture<>();
        ledger.append(new LogRecord<>(commitTs - 1, commitTs, WRITES), answer::complete);
        Exception problem = answer.get(60, TimeUnit.SECONDS);
        if (problem != null) {
            throw problem;
        }
    }

    /**
     * As the transaction manager does, which tries again: a bookie resets one connection in a hundred, when TLS begins before it is ready for that.
     */
    private static <T> T again(Callable<T> work) throws Exception {
        for (int attempt = 1;; attempt++) {
            try {
                return work.call();
            } catch (BKException | StoreException e) {
                if (attempt == ATTEMPTS || e.getMessage().contains("--ledger-passwords")) {
                    throw e;
                }
            }
        }
    }

    private void write(String client, String passwords, long commitTs) throws Exception {
        again(() -> {
            append(ledgers(client, passwords), commitTs);
            return null;
        });
    }

    private Closed<byte[]> read(String client, String passwords) throws Exception {
        return again(() -> ledgers(client, passwords).closeLog());
    }

    private static List<Long> commits(Closed<byte[]> closed) {
        return closed.records().stream().map(LogRecord::commitTs).toList();
    }

    @Test
    void whoKnowsThePasswordWritesAndReadsTheLogEncrypted() throws Exception {
        write(tls + AUTHENTICATION, "first\n", 10);
        Closed<byte[]> closed = read(tls + AUTHENTICATION, "first\n");
        assertEquals(List.of(10L), commits(closed));
        assertArrayEquals(WRITES, closed.records().get(0).writes());
    }

    /** To those who know the password, a bookie talks without TLS, too, if they want: BookKeeper leaves that to its clients. */
    @Test
    void aClientWithoutTheRightNameWritesNothing() throws Exception {
        for (String client : List.of("", tls, tls + AUTHENTICATION + "saslJaasClientSectionName=Stranger\n")) {
            assertThrows(BKException.class, () -> append(ledgers(client, null), 10), "let in: " + client);
            objects.clear();
        }
    }

    @Test
    void aBookieWithACertificateThatIsNotTrustedGetsNothing() throws Exception {
        Path other = directory.resolve("other.p12");
        keytool("-genkeypair", "-alias", "other", "-dname", "CN=other", "-keyalg", "EC", "-keystore", other.toString(), "-storetype", "PKCS12",
                "-storepass", "changeit");
        keytool("-exportcert", "-rfc", "-alias", "other", "-keystore", other.toString(), "-storepass", "changeit", "-file", directory + "/other.pem");
        assertThrows(BKException.class, () -> append(ledgers(tls.replace("bookie.pem", "other.pem") + AUTHENTICATION, null), 10));
    }

    @Test
    void passwordsAreChangedWithoutLosingTheLog() throws Exception {
        String client = tls + AUTHENTICATION;
        write(client, null, 10);
        write(client, "first\n\n", 20); // an empty line: ledgers without a password
        write(client, "second\nfirst\n\n", 30);
        assertEquals(List.of(10L, 20L, 30L), commits(read(client, "second\nfirst\n\n")));
        for (String passwords : List.of("second\nfirst\n", "second\n\n", "third\nfirst\n\n")) {
            assertTrue(assertThrows(StoreException.class, () -> read(client, passwords)).getMessage()
                    .endsWith(": no password in --ledger-passwords fits it, or bookies do not know the name in --bookkeeper-conf."));
        }
    }

    @Test
    void filesAreCheckedAtTheStart() throws Exception {
        assertRefused("sets a key for TLS: it needs tlsProviderFactoryClass and tlsTrustStore, too", "tlsProviderFactoryClas=x\n", null);
        assertRefused("names a tlsTrustStore that cannot be read: /no/file", "tlsProviderFactoryClass=x\ntlsTrustStore=/no/file\n", null);
        assertRefused("must not set metadataServiceUri, which the transaction manager sets itself", "metadataServiceUri=zk://1/l\n", null);
        assertRefused("must have a password in its first line, and at most 16 lines", "", "\nfirst\n");
        assertRefused("must have a password in its first line, and at most 16 lines", "", "x\n".repeat(17));
        assertRefused("has more than 1048576 bytes", "", "x".repeat(1_048_577));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> BookKeeperSecurity.read(directory.resolve("none"), null)).getMessage()
                .startsWith("The file --bookkeeper-conf " + directory.resolve("none") + " cannot be read: "));
    }

    private void assertRefused(String why, String client, String passwords) {
        String said = assertThrows(IllegalArgumentException.class, () -> ledgers(client, passwords)).getMessage();
        assertTrue(said.startsWith("The file --") && said.endsWith(" " + why + "."), said);
        assertFalse(said.contains("\n"));
    }
}
