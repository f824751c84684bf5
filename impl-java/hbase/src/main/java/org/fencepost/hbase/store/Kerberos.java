package org.fencepost.hbase.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Prepares a connection to an HBase that asks for Kerberos. HBase's client does the rest: {@link ConnectionFactory} logs in with the
 * keytab that the configuration names, looks every 30 s whether the ticket has used up four fifths of its life, and gets another. What it does not do
 * is to tell: a configuration that is only half there makes it try for minutes, or connect as nobody.
 */
public final class Kerberos {

    /** HBase's keys. */
    public static final String KEYTAB = "hbase.client.keytab.file";
    public static final String PRINCIPAL = "hbase.client.keytab.principal";

    private static final String HOST = "_HOST";
    private static final String HADOOP = CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION;

    private Kerberos() {
    }

    /**
     * To be called before each {@link ConnectionFactory#createConnection}. Does nothing unless HBase asks for Kerberos. Hadoop's part of the
     * configuration is this process's from then on, if it has had none that says kerberos.
     *
     * @throws IllegalArgumentException with one sentence, if the configuration cannot work
     * @throws IOException              with one sentence, if there is neither keytab nor ticket
     */
    public static void prepare(Configuration conf) throws IOException {
        if (!User.isHBaseSecurityEnabled(conf)) {
            return;
        }
        String keytab = conf.getTrimmed(KEYTAB, "");
        check(conf, keytab);
        if (!UserGroupInformation.isSecurityEnabled()) {
            UserGroupInformation.setConfiguration(conf);
        }
        if (keytab.isEmpty() && isNobody(UserGroupInformation.getCurrentUser())) {
            throw new IOException("HBase asks for Kerberos and this process has no ticket: set " + KEYTAB + " and " + PRINCIPAL + ", or run kinit");
        }
    }

    /** What can be known without asking anybody; see {@link #prepare}. */
    public static void check(Configuration conf) {
        if (User.isHBaseSecurityEnabled(conf)) {
            check(conf, conf.getTrimmed(KEYTAB, ""));
        }
    }

    private static void check(Configuration conf, String keytab) {
        boolean hadoop = AuthenticationMethod.KERBEROS.name().equalsIgnoreCase(conf.getTrimmed(HADOOP, ""));
        require(hadoop || UserGroupInformation.isSecurityEnabled(), User.HBASE_SECURITY_CONF_KEY + " is kerberos: set " + HADOOP + " to kerberos, too");
        String principal = conf.getTrimmed(PRINCIPAL, "");
        require(keytab.isEmpty() == principal.isEmpty(), KEYTAB + " and " + PRINCIPAL + " need each other: set both or neither");
        // HBase takes any other name for somebody else's, and logs in anew for each connection.
        require(principal.isEmpty() || principal.matches("[^@]+@[^@]+") && !principal.contains(HOST),
                PRINCIPAL + " reads like name@REALM, without " + HOST + ", not '" + principal + "'");
        require(keytab.isEmpty() || Files.isReadable(Path.of(keytab)), "The keytab " + keytab + ", which " + KEYTAB + " names, cannot be read");
    }

    /** Jobs come with tokens, and those who act for others with a ticket of their own. */
    private static boolean isNobody(UserGroupInformation user) {
        UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
        return !real.hasKerberosCredentials() && user.getTokens().isEmpty();
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ".");
        }
    }
}
