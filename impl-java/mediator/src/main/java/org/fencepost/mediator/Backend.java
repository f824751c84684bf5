package org.fencepost.mediator;

import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.client.MediatorWriteBack;
import org.fencepost.hbase.store.CommitTableFloor;
import org.fencepost.hbase.store.Kerberos;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.mediator.WriteBack;
import org.fencepost.tm.server.MediatorBackend;
import org.fencepost.tm.server.MediatorOptions;
import org.fencepost.tm.zookeeper.SharedObjects;

/** BookKeeper and HBase, for a transaction manager with Mediator. */
public final class Backend implements MediatorBackend {

    private final BookKeeperLedgers ledgers;
    private final Configuration hbase;
    /** Null before it is first used. */
    private MediatorWriteBack database;

    private Backend(BookKeeperLedgers ledgers, Configuration hbase) {
        this.ledgers = ledgers;
        this.hbase = hbase;
    }

    /** See {@link MediatorBackend.Factory}. */
    public static MediatorBackend open(MediatorOptions options, SharedObjects shared, Executor serving) {
        BookKeeperLedgers.Settings log = new BookKeeperLedgers.Settings(options.bookKeeper(), options.logCopies(), options.ledgerBytes(),
                BookKeeperSecurity.read(options.bookKeeperConf(), options.ledgerPasswords()));
        return new Backend(new BookKeeperLedgers(log, shared, serving), hbase(options.hbaseSite()));
    }

    /** See {@link Floor.Factory}. */
    static Floor floor(List<String> commitTables, Path hbaseSite) {
        return commitTables.isEmpty() ? Floor.NONE
                : new CommitTableFloor(hbase(hbaseSite), commitTables.stream().map(TableName::valueOf).toList());
    }

    private static Configuration hbase(Path site) {
        Configuration conf = HBaseConfiguration.create();
        if (site != null) {
            add(site, conf);
        }
        Kerberos.check(conf);
        return conf;
    }

    private static void add(Path site, Configuration conf) {
        if (!Files.isReadable(site)) {
            throw new IllegalArgumentException("HBase's configuration, --hbase-site " + site + ", cannot be read.");
        }
        try {
            conf.addResource(site.toUri().toURL());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("HBase's configuration, --hbase-site " + site + ", cannot be read.", e);
        }
    }

    @Override
    public Ledgers<byte[]> ledgers() {
        return ledgers;
    }

    @Override
    public WriteBack<byte[]> database() {
        return (writes, commitTs) -> connected().writeBack(writes, commitTs);
    }

    private synchronized MediatorWriteBack connected() {
        if (database == null) {
            database = MediatorWriteBack.open(hbase);
        }
        return database;
    }

    @Override
    public synchronized void close() {
        ledgers.close();
        if (database != null) {
            database.close();
        }
    }
}
