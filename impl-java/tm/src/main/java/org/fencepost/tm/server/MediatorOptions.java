package org.fencepost.tm.server;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@link TmServer} that are Mediator's. Public for those who provide a {@link MediatorBackend}. */
public final class MediatorOptions {

    @Option(names = "--bookkeeper", required = true, paramLabel = "URI",
            description = "BookKeeper's metadata service, as in its clients' metadataServiceUri: zk+hierarchical://HOST:PORT/ledgers."
                    + " Primary and backups need the same.")
    private String bookKeeper;

    @Option(names = "--bookkeeper-conf", paramLabel = "FILE",
            description = "Properties of BookKeeper's client, as in its bk_server.conf: TLS (tls...) and authentication"
                    + " (clientAuthProviderFactoryClass). Default: neither.")
    private Path bookKeeperConf;

    @Option(names = "--ledger-passwords", paramLabel = "FILE",
            description = "The first line is the password of ledgers that are written, which makes bookies' answers proof against"
                    + " forgery; those that follow open older ledgers, an empty line those without one. Primary and backups need the same."
                    + " Default: none.")
    private Path ledgerPasswords;

    /** Of the transaction manager's own options. */
    Path hbaseSite;

    @Option(names = "--log-copies", defaultValue = "3",
            description = "Bookies that have each record of the log; a majority of them answers. Default: ${DEFAULT-VALUE}.")
    private int logCopies;

    @Option(names = "--ledger-bytes", defaultValue = "16777216",
            description = "After so many bytes a ledger is followed by another. Default: ${DEFAULT-VALUE}.")
    private long ledgerBytes;

    @Option(names = "--ring-size", defaultValue = "16384",
            description = "Transactions remembered for conflict detection, 160 bytes each. Default: ${DEFAULT-VALUE}.")
    private int ringSize;

    @Option(names = "--helper-ms", defaultValue = "2000",
            description = "Milliseconds after which the helper looks after a commit that has not ended. Default: ${DEFAULT-VALUE}.")
    private long helperMillis;

    /** Where BookKeeper's metadata are. */
    public String bookKeeper() {
        return bookKeeper;
    }

    /** Properties of BookKeeper's client. Null: its defaults. */
    public Path bookKeeperConf() {
        return bookKeeperConf;
    }

    /** Passwords of ledgers, one in a line. Null: ledgers have none. */
    public Path ledgerPasswords() {
        return ledgerPasswords;
    }

    /** Null: what is on the class path. */
    public Path hbaseSite() {
        return hbaseSite;
    }

    /** Bookies that have each record. */
    public int logCopies() {
        return logCopies;
    }

    /** After so many bytes a ledger is followed by another. */
    public long ledgerBytes() {
        return ledgerBytes;
    }

    int ringSize() {
        return ringSize;
    }

    long helperMillis() {
        return helperMillis;
    }

    /** Throws IllegalArgumentException, with a sentence, for values that make no sense. */
    void check() {
        require(logCopies >= 1, "--log-copies must be at least 1, not " + logCopies);
        require(ledgerBytes >= 1, "--ledger-bytes must be at least 1, not " + ledgerBytes);
        require(ringSize >= 1 && ringSize <= 1 << 24, "--ring-size must be 1 to " + (1 << 24) + ", not " + ringSize);
        require(helperMillis >= 1, "--helper-ms must be at least 1, not " + helperMillis);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ".");
        }
    }
}
