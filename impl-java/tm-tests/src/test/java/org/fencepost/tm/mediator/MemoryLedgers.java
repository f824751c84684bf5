package org.fencepost.tm.mediator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;

/** Ledgers that are durable at once. */
public final class MemoryLedgers<W> implements Ledgers<W> {

    public final List<LogRecord<W>> records = new ArrayList<>();
    private long writtenBackBelow;
    private Object open;

    @Override
    public Closed<W> closeLog() {
        open = null;
        return new Closed<>(List.copyOf(records), writtenBackBelow, 0);
    }

    @Override
    public Ledger<W> create() {
        Ledger<W> ledger = new Ledger<>() {
            @Override
            public void append(LogRecord<W> record, Consumer<Exception> done) {
                if (open != this) {
                    done.accept(new IOException("closed"));
                    return;
                }
                records.add(record);
                done.accept(null);
            }

            @Override
            public void writtenBackBelow(long commitTs) {
                writtenBackBelow = commitTs;
            }
        };
        open = ledger;
        return ledger;
    }
}
