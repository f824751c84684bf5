package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is configured wrongly is said before anything connects. That TLS works from a region server, DeploymentTest shows. */
class RemoteTransactionManagerFactoryTest {

    @TempDir
    Path directory;

    private final Configuration conf = new Configuration(false);

    private void assertRefused(String why) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new RemoteTransactionManagerFactory().connect(conf, "127.0.0.1:1"));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void withoutTlsNothingIsNeededButZooKeeper() {
        RemoteTransactionManagerFactory factory = new RemoteTransactionManagerFactory();
        TableName table = TableName.valueOf("commits");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> factory.address(conf, table)).getMessage().contains("set fencepost.tm.zookeeper"));
        conf.set(Settings.TM_ZOOKEEPER, "127.0.0.1:1");
        factory.connect(conf, factory.address(conf, table)).close();
        conf.set(Settings.TM_ZOOKEEPER + ".commits", "127.0.0.1:2");
        assertEquals("127.0.0.1:2", factory.address(conf, table));
        assertEquals("127.0.0.1:1", factory.address(conf, TableName.valueOf("others")));
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
