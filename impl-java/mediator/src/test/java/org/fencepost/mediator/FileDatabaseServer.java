package org.fencepost.mediator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.mediator.WriteBack;
import org.fencepost.tm.server.MediatorBackend;
import org.fencepost.tm.server.TmServer;
import picocli.CommandLine;

/**
 * A transaction manager with Mediator whose log is in BookKeeper, and whose database is a file that the property {@code database} names: a
 * line for each write set that it writes back.
 */
final class FileDatabaseServer {

    private FileDatabaseServer() {
    }

    public static void main(String[] arguments) {
        Path file = Path.of(System.getProperty("database"));
        System.exit(new CommandLine(new TmServer((options, shared, serving) -> {
            BookKeeperLedgers ledgers = new BookKeeperLedgers(
                    new BookKeeperLedgers.Settings(options.bookKeeper(), options.logCopies(), options.ledgerBytes()), shared, serving);
            return new MediatorBackend() {
                @Override
                public Ledgers<byte[]> ledgers() {
                    return ledgers;
                }

                @Override
                public WriteBack<byte[]> database() {
                    return (writes, commitTs) -> append(file, writes, commitTs);
                }

                @Override
                public void close() {
                    ledgers.close();
                }
            };
        }, (tables, site) -> Floor.NONE)).execute(arguments));
    }

    static void append(Path file, byte[] writes, long commitTs) {
        String line = commitTs + " " + new String(writes, StandardCharsets.UTF_8) + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new StoreException("The file cannot be written.", e);
        }
    }
}
