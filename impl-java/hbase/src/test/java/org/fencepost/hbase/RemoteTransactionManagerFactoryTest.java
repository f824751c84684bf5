package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is configured wrongly is said before anything connects. That TLS works from a region server, DeploymentTest shows. */
class RemoteTransactionManagerFactoryTest {

    @TempDir
    Path directory;

    private final Configuration conf = new Configuration(false);

    private void assertRefused(String why) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new RemoteTransactionManagerFactory().connect(conf));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void withoutTlsNothingIsNeededButZooKeeper() {
        assertRefused("needs fencepost.tm.zookeeper");
        conf.set(Settings.TM_ZOOKEEPER, "127.0.0.1:1");
        new RemoteTransactionManagerFactory().connect(conf).close();
    }

    @Test
    void tlsNeedsAllFilesAndThatTheyCanBeUsed() throws IOException {
        conf.set(Settings.TM_ZOOKEEPER, "127.0.0.1:1");
        Path file = Files.writeString(directory.resolve("no certificate"), "no certificate");
        conf.set(Settings.TM_TLS_CERT, file.toString());
        assertRefused("needs all of fencepost.tm.tls.cert, fencepost.tm.tls.key, fencepost.tm.tls.ca, or none");
        conf.set(Settings.TM_TLS_KEY, file.toString());
        conf.set(Settings.TM_TLS_CA, directory.resolve("none").toString());
        assertRefused("cannot be read");
        conf.set(Settings.TM_TLS_CA, file.toString());
        assertRefused("The TLS files cannot be used");
    }
}
