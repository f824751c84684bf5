package org.fencepost.tm.client;

import java.util.concurrent.CompletableFuture;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Wire;

/** Asks the primary how it is, and what it is. */
final class Health extends Request {

    final CompletableFuture<Condition> condition = new CompletableFuture<>();
    final CompletableFuture<ManagerInfo> info = new CompletableFuture<>();

    Health(long deadlineNanos) {
        super(Wire.HEALTH, 0, deadlineNanos);
        answer.whenComplete((code, failure) -> {
            Throwable why = failure != null ? failure : new TransactionManagerException("The transaction manager told nothing of itself.");
            condition.completeExceptionally(why);
            info.completeExceptionally(why);
        });
    }

    @Override
    void told(Condition tells, ManagerInfo tellsOfItself) {
        condition.complete(tells);
        info.complete(tellsOfItself);
        answer.complete(0L);
    }
}
