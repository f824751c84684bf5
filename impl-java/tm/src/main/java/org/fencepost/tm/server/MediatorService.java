package org.fencepost.tm.server;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.mediator.Helper;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.mediator.Tso;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mediator's own thread in a transaction manager. When a tenure begins, it recovers what the oracles before have left, and
 * opens a new oracle. From then on it is the helper: an entry of the ring that was active at its last pass, too, it brings to
 * its end. Log and database may keep it waiting for as long as they like; the serving thread does not wait for it.
 *
 * <p>A log that cannot be written ends the tenure: what it has in it is known when it has been closed, which the next tenure
 * begins with, in this process or another.
 */
final class MediatorService implements TmService.Opener {

    private static final Logger LOG = LoggerFactory.getLogger(MediatorService.class);
    private static final long RETRY_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 10_000;

    private final MediatorOptions options;
    private final MediatorBackend backend;
    private final EventLoop loop;
    private final TmService service;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(new DefaultThreadFactory("tm-mediator", true));
    /** Null unless this process is the primary. */
    private volatile Tenure present;

    MediatorService(MediatorOptions options, MediatorBackend backend, EventLoop loop, TmService service) {
        this.options = options;
        this.backend = backend;
        this.loop = loop;
        this.service = service;
    }

    // ---- the serving thread

    @Override
    public void serve(Tenure tenure) {
        present = tenure;
        thread.execute(() -> keep(tenure));
    }

    @Override
    public void halt() {
        present = null;
    }

    private boolean open(Tenure tenure, Tso<byte[]> tso) {
        if (present == tenure) {
            service.mediator().open(tenure, tso);
        }
        return present == tenure;
    }

    /** What the helper is to look at; null if the oracle is gone. */
    private long[] lookAround(Tenure tenure) {
        Tso<byte[]> tso = service.mediator().tso();
        if (present != tenure || tso == null) {
            return null;
        }
        tso.tidy();
        return tso.active();
    }

    // ---- Mediator's thread

    private void keep(Tenure tenure) {
        try {
            if (recover(tenure)) {
                help(tenure);
            }
        } catch (Throwable e) { // an Error, too, must not leave a primary that serves nobody
            if (present == tenure) {
                LOG.error("Mediator's thread failed.", e);
                service.halt(tenure, "Mediator's thread failed");
            }
        }
    }

    /** Returns false if the tenure ended before. */
    private boolean recover(Tenure tenure) {
        String failing = null;
        while (present == tenure) {
            try {
                Recovery<byte[]> recovery = new Recovery<>(backend.ledgers(), backend.database(), Tracer.OFF);
                recovery.closeLog();
                int replayed = 0;
                while (present == tenure && recovery.replay()) {
                    replayed++;
                }
                if (present != tenure) {
                    return false;
                }
                Tso<byte[]> tso = recovery.openTso(options.ringSize(), tenure::timestamp, tenure.epoch());
                LOG.info("Mediator serves from timestamp {} on; {} transactions were written back.", tenure.epoch(), replayed);
                return onLoop(() -> open(tenure, tso));
            } catch (StoreException e) {
                if (!e.getMessage().equals(failing)) {
                    LOG.warn("Mediator cannot recover yet: {} Trying again.", e.getMessage());
                    failing = e.getMessage();
                }
                sleep(RETRY_MILLIS);
            }
        }
        return false;
    }

    private void help(Tenure tenure) {
        Helper<byte[]> helper = new Helper<>(oracle, backend.database(), Tracer.OFF);
        Set<Long> before = Set.of();
        long[] active = onLoop(() -> lookAround(tenure));
        while (active != null) {
            for (long commitTs : active) {
                if (present == tenure && before.contains(commitTs)) {
                    settle(helper, commitTs);
                }
            }
            before = new HashSet<>();
            Arrays.stream(active).forEach(before::add);
            sleep(options.helperMillis());
            active = onLoop(() -> lookAround(tenure));
        }
    }

    private void settle(Helper<byte[]> helper, long commitTs) {
        try {
            helper.settle(commitTs);
        } catch (StoreException e) {
            LOG.warn("The helper could not settle transaction {} yet: {}", commitTs, e.getMessage());
        }
    }

    /** From this thread, by way of the serving one. */
    private final Helper.Oracle<byte[]> oracle = new Helper.Oracle<>() {

        @Override
        public LogRecord<byte[]> find(long commitTs) {
            return onLoop(() -> tso().find(commitTs));
        }

        @Override
        public boolean append(LogRecord<byte[]> record) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            onLoop(() -> {
                tso().append(record, answer::complete, answer::completeExceptionally);
                return null;
            });
            return await(answer);
        }

        @Override
        public void settleEntry(long commitTs, boolean committed) {
            onLoop(() -> {
                tso().settleEntry(commitTs, committed);
                service.metrics().countHelped(committed);
                return null;
            });
        }

        private Tso<byte[]> tso() {
            if (service.mediator().tso() == null) {
                throw new StoreException("The oracle is gone.");
            }
            return service.mediator().tso();
        }
    };

    private <T> T onLoop(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return await(result);
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new StoreException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new StoreException("There was no answer within " + PATIENCE_MILLIS + " ms.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted.", e);
        }
    }

    private void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            present = null;
        }
    }

    @Override
    public void close() {
        present = null;
        thread.shutdownNow();
        backend.close();
    }
}
