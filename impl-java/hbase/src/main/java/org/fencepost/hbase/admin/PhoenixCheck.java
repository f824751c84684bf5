package org.fencepost.hbase.admin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.Coprocessors;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;

/**
 * Finds out whether HBase and the transaction manager are set up for Apache Phoenix (docs/phoenix.md): HBase's version, the master's coprocessor,
 * each region server's configuration, the commit table, the manager's clock and leap, and Phoenix's transactional tables. Changes nothing. What a
 * region server is configured for, it tells on its web page {@code /conf} alone; where that cannot be read, it is unknown.
 */
public final class PhoenixCheck {

    private static final String VERSION = "2.6.";
    private static final String PACKAGE = "org.fencepost.phoenix.";
    private static final String MASTER = "TableDefaults";
    private static final String REGION_SERVER = PACKAGE + "RegionServerInstaller";
    private static final String REGION_SERVER_KEY = "hbase.coprocessor.regionserver.classes";
    /** As Phoenix has it. */
    private static final long TIMESTAMPS_PER_MILLISECOND = 1_000_000;
    private static final long MOST_APART_SECONDS = 60;
    private static final int OK = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private final Connection connection;
    private final TableName commitTable;
    private final TransactionManager manager;
    private final HttpClient pages = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final List<String> problems = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /**
     * What was found, a line each.
     *
     * @param problems what is wrong
     * @param unknown  what could not be found out
     */
    public record Findings(List<String> problems, List<String> unknown) {
    }

    private PhoenixCheck(Admin admin, TableName commitTable, TransactionManager manager) {
        this.admin = admin;
        this.connection = admin.getConnection();
        this.commitTable = commitTable;
        this.manager = manager;
    }

    /**
     * @param commitTable that Phoenix's tables are to have
     * @param manager     whose timestamps are to be Phoenix's
     * @throws IOException if HBase does not answer
     */
    public static Findings find(Connection connection, TableName commitTable, TransactionManager manager) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            PhoenixCheck check = new PhoenixCheck(admin, commitTable, manager);
            check.run();
            return new Findings(check.problems, check.unknown);
        }
    }

    private void run() throws IOException {
        ClusterMetrics cluster = admin.getClusterMetrics(EnumSet.of(Option.HBASE_VERSION, Option.MASTER_COPROCESSORS, Option.LIVE_SERVERS));
        if (!cluster.getHBaseVersion().startsWith(VERSION)) {
            unknown.add("HBase is of version " + cluster.getHBaseVersion() + ", and Phoenix on Fencepost was tested with " + VERSION + "x only.");
        }
        if (!cluster.getMasterCoprocessorNames().contains(MASTER)) {
            problems.add("The master lacks the coprocessor " + PACKAGE + MASTER + ": set hbase.coprocessor.master.classes in its hbase-site.xml, and start it again.");
        }
        for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
            checkServer(server);
        }
        checkManager();
        for (TableDescriptor table : admin.listTableDescriptors()) {
            if (table.hasCoprocessor(Coprocessors.DECIDING)) {
                checkTable(table);
            }
        }
    }

    private void checkServer(ServerMetrics server) {
        ServerName name = server.getServerName();
        Configuration conf = configuration(server);
        if (conf == null) {
            unknown.add("Region server " + name.getAddress() + " does not show its configuration on port " + server.getInfoServerPort() + ", so that its "
                    + REGION_SERVER_KEY + " and " + Settings.TM_ZOOKEEPER + " are not known.");
            return;
        }
        if (!conf.get(REGION_SERVER_KEY, "").contains(REGION_SERVER)) {
            problems.add("Region server " + name.getAddress() + " lacks " + REGION_SERVER + ": set " + REGION_SERVER_KEY + " in its hbase-site.xml, and start it again.");
        }
        if (conf.get(Settings.TM_ZOOKEEPER, "").isBlank()) {
            problems.add("Region server " + name.getAddress() + " does not know the transaction manager: set " + Settings.TM_ZOOKEEPER
                    + " in its hbase-site.xml, and start it again.");
        }
    }

    /** Null if the server does not tell. */
    private Configuration configuration(ServerMetrics server) {
        URI page = URI.create("http://" + server.getServerName().getHostname() + ":" + server.getInfoServerPort() + "/conf");
        try {
            HttpResponse<byte[]> answer = pages.send(HttpRequest.newBuilder(page).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
            Configuration conf = new Configuration(false);
            conf.addResource(new ByteArrayInputStream(answer.body()));
            return answer.statusCode() == OK && conf.size() > 0 ? conf : null;
        } catch (IOException | RuntimeException e) {
            return null; // no such page, or it is no configuration
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void checkManager() throws IOException {
        try {
            ManagerInfo info = manager.info();
            long aheadSeconds = (info.next() / TIMESTAMPS_PER_MILLISECOND - System.currentTimeMillis()) / 1000;
            if (Math.abs(aheadSeconds) > MOST_APART_SECONDS) {
                problems.add("The transaction manager's timestamps, which Phoenix takes for time, are " + Math.abs(aheadSeconds) + " s "
                        + (aheadSeconds < 0 ? "behind" : "ahead of") + " this machine's clock: start it with --follow-time, or set the clocks.");
            }
            TableAttributes.requireCommitTable(Descriptions.read(connection, commitTable));
            new HBaseCommitTable(connection, connection, commitTable, Tables.OPERATOR_TIMEOUT_MILLIS).requireManager(info);
        } catch (InvalidTableException | TransactionManagerException e) {
            problems.add(e.getMessage());
        }
    }

    private void checkTable(TableDescriptor table) throws IOException {
        TableName name = table.getTableName();
        if (TableAttributes.commitTableOf(table) == null) {
            problems.add("HBase table " + name + " was created while the master lacked " + PACKAGE + MASTER + ": drop it, and create it again.");
            return;
        }
        if (!commitTable.equals(TableAttributes.commitTableOf(table))) {
            problems.add("HBase table " + name + " is of commit table " + TableAttributes.commitTableOf(table) + ", and not of " + commitTable + ".");
        }
        problems.addAll(TableCheck.problems(connection, name, manager));
        if (TableAttributes.spanOf(table) != TableAttributes.NO_SPAN) {
            try {
                TableAttributes.requireRoom(name, TableAttributes.spanOf(table), manager);
            } catch (InvalidTableException | TransactionManagerException e) {
                problems.add(e.getMessage());
            }
        }
    }
}
