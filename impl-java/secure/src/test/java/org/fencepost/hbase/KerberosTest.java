package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.fencepost.hbase.store.Kerberos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that cannot work are refused with one sentence, before anybody is asked. */
class KerberosTest {

    @TempDir
    Path directory;

    private static Configuration conf(String... keysAndValues) {
        Configuration conf = new Configuration(false);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            conf.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return conf;
    }

    private static Configuration kerberos(String keytab, String principal) {
        return conf("hbase.security.authentication", "kerberos", "hadoop.security.authentication", "kerberos", Kerberos.KEYTAB, keytab, Kerberos.PRINCIPAL,
                principal);
    }

    private static void assertRefused(String sentence, Configuration conf) {
        assertEquals(sentence, assertThrows(IllegalArgumentException.class, () -> Kerberos.prepare(conf)).getMessage());
        assertEquals(sentence, assertThrows(IllegalArgumentException.class, () -> Kerberos.check(conf)).getMessage());
    }

    @Test
    void withoutKerberosNothingIsDone() throws IOException {
        Kerberos.prepare(conf());
        Kerberos.prepare(conf(Kerberos.KEYTAB, "/no/such/keytab", Kerberos.PRINCIPAL, "app"));
        assertFalse(UserGroupInformation.isSecurityEnabled());
    }

    @Test
    void whatIsOnlyHalfThereIsRefused() throws IOException {
        assertRefused("hbase.security.authentication is kerberos: set hadoop.security.authentication to kerberos, too.",
                conf("hbase.security.authentication", "kerberos"));
        String both = "hbase.client.keytab.file and hbase.client.keytab.principal need each other: set both or neither.";
        assertRefused(both, kerberos("/etc/app.keytab", ""));
        assertRefused(both, kerberos("", "app@REALM"));
        assertRefused("The keytab /no/such/keytab, which hbase.client.keytab.file names, cannot be read.", kerberos("/no/such/keytab", "app@REALM"));
        String keytab = Files.createFile(directory.resolve("app.keytab")).toString();
        for (String principal : new String[] {"app", "app/_HOST@REALM", "@REALM"}) {
            assertRefused("hbase.client.keytab.principal reads like name@REALM, without _HOST, not '" + principal + "'.", kerberos(keytab, principal));
        }
    }
}
