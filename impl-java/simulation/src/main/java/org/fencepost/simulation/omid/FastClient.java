package org.fencepost.simulation.omid;

import java.util.function.LongConsumer;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.fastpath.FastRegion.Answer;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Network.Target;

/** Single-key transactions, the client's part (VLDB'18 Alg. 4): one request to the key's region server each. */
final class FastClient {

    private final Network network;
    private final RegionServers servers;
    private final Tracer tracer;

    FastClient(Network network, RegionServers servers, Tracer tracer) {
        this.network = network;
        this.servers = servers;
        this.tracer = tracer;
    }

    /** Reads, and is done. Null if no record is committed. Throws {@link StoreException}. */
    Record<Long> brc(String key) {
        return read(Action.Brc, key);
    }

    /** Reads, and may write with {@link #wc} then. */
    Record<Long> br(String key) {
        return read(Action.Br, key);
    }

    private Record<Long> read(Action action, String key) {
        Record<Long> last = network.call(Target.STORE_READ, key, action.method(), () -> servers.lastCommitted(key));
        tracer.event(action, "key", key, "from", last == null ? 0 : last.version(), "last", last == null ? Timestamps.NIL : last.commit());
        return last;
    }

    /** Writes what it has not read. Throws as {@link #wc} does. */
    Answer bwc(String key, Write<Long> write, LongConsumer stored) {
        return write(Action.Bwc, key, FastRegion.ANY, write, stored);
    }

    /**
     * Writes what it has read, if that is still the last. It is sent once.
     *
     * @param last   what {@link #br} returned
     * @param stored what the judge knows, whether or not the client is answered: told the version
     * @throws StoreException if nobody answered; it may be stored, or will be
     */
    Answer wc(String key, Record<Long> last, Write<Long> write, LongConsumer stored) {
        return write(Action.Wc, key, last == null ? Timestamps.NIL : last.commit(), write, stored);
    }

    private Answer write(Action action, String key, long expected, Write<Long> write, LongConsumer stored) {
        try {
            Answer answer = send(action, key, expected, write, stored);
            if (answer.refused() == null) {
                tracer.event(action, "key", key, "version", answer.version());
            } else {
                network.refused(answer.refused(), "key", key, "expected", expected);
            }
            return answer;
        } catch (StoreException e) {
            tracer.event(Action.LoseFastAnswer, "key", key);
            throw e;
        } catch (Death dead) {
            tracer.event(Action.LoseFastAnswer, "key", key);
            throw dead;
        }
    }

    private Answer send(Action action, String key, long expected, Write<Long> write, LongConsumer stored) {
        return network.call(Target.FAST, key, action.method(), () -> servers.write(key, expected, write, stored));
    }
}
