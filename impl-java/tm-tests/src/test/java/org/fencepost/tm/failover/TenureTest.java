package org.fencepost.tm.failover;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.ref.WeakReference;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.Await;
import org.fencepost.tm.server.EmbeddedServer;
import org.fencepost.tm.server.TmService;
import org.junit.jupiter.api.Test;

class TenureTest {

    /** A process that regains its lease makes a new one, and Mediator's thread may hold this one still. */
    @Test
    void aTenureThatIsOverHoldsNoConflictTable() {
        EmbeddedChannel loopOwner = new EmbeddedChannel();
        TmService service = new TmService(loopOwner.eventLoop(), EmbeddedServer.LIMITS, 60_000, 1 << 12, 1 << 12, 1_000_000);
        Lease lease = new Lease();
        lease.grant(System.nanoTime(), Long.MAX_VALUE / 2);
        TransactionManagerCore core = new TransactionManagerCore(new TransactionManagerCore.Settings(1, 1 << 12, 60_000_000_000L, 1 << 12),
                0, 1_000, 0, System.nanoTime(), Tracer.OFF);
        WeakReference<TransactionManagerCore> table = new WeakReference<>(core);
        Tenure tenure = new Tenure("system", lease, core, 0, 1_000, () -> {}, new TmTrace(Tracer.OFF, "", 0));
        core = null;
        service.serve(tenure);
        loopOwner.runPendingTasks();
        service.halt(tenure, "it is told to");
        loopOwner.runPendingTasks();
        Await.until("the table is collected", 20_000, () -> {
            System.gc();
            return table.get() == null;
        });
        assertTrue(tenure.halted());
    }
}
