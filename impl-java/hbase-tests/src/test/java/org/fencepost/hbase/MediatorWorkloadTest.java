package org.fencepost.hbase;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.fencepost.hbase.layout.WriteSets;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.trace.Action;
import org.fencepost.tm.mediator.WriteBack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * With oracle, log and helper in this process, where all of their steps are counted, and they die between any two rows that they
 * write back.
 */
@ExtendWith(Fixture.Extension.class)
class MediatorWorkloadTest extends MediatorWorkload {

    private static final long SPAN = 8;

    private MediatorWorld world;
    private List<Long> known = List.of();

    private void start(Fixture fixture) throws Exception {
        world = new MediatorWorld(fixture, SPAN, counting);
        use(fixture, SPAN, fixture.manager, world.tso);
    }

    /** Small ones of the same kind. */
    @Test
    @Tag("long")
    void mixedTraffic(Fixture fixture) throws Exception {
        start(fixture);
        runAll(250, 2, all(1, Set.of("UNREADABLE", "GiveUp", "SETTLED", "MANAGER_UNREACHABLE", "BELOW_WATERMARK", "helper died", "recovery died")),
                0, 0.5, 0.9);
    }

    @Test
    @Tag("evidence")
    void mixedTrafficAtLength(Fixture fixture) throws Exception {
        start(fixture);
        runAll(3_000, 16, all(4, Set.of()), 0, 0.5, 0.9);
    }

    /** What the runs must have seen, each so many times. */
    private static Map<String, Integer> all(int atLeast, Set<String> mayBeMissing) {
        Map<String, Integer> must = new HashMap<>();
        Set.of("died", "helper died", "recovery died", "move", "get", "put").forEach(what -> must.put(what, atLeast));
        Action.OF_MEDIATOR.forEach(action -> must.put(action.name(), atLeast));
        must.keySet().removeAll(Set.of("NativeGet", "Evict")); // nobody traces the one; the ring is too large for the other
        for (AbortCause cause : List.of(AbortCause.CONFLICT, AbortCause.NATIVE_CONFLICT, AbortCause.BELOW_WATERMARK,
                AbortCause.MANAGER_UNREACHABLE, AbortCause.UNREADABLE, AbortCause.SETTLED)) {
            must.put(cause.name(), atLeast);
        }
        must.keySet().removeAll(mayBeMissing);
        return must;
    }

    /** Writes back row by row, and may die in between. */
    private void dyingWriteBack(byte[] writes, long commitTs) {
        dying(() -> new DyingServers(world.servers).writeBack(WriteSets.decode(writes), commitTs));
    }

    private WriteBack<byte[]> writeBack() {
        return ThreadLocalRandom.current().nextInt(3) == 0 ? this::dyingWriteBack : world::writeBack;
    }

    @Override
    void killOracle(SplittableRandom random) throws Exception {
        world.tso.kill();
        Thread.sleep(random.nextInt(200));
        while (true) {
            try {
                world.tso.recover(writeBack());
                return;
            } catch (Death e) {
                count("recovery died");
            }
        }
    }

    @Override
    void help() {
        known = world.tso.help(known, writeBack());
    }

    @Override
    void settle() {
        world.tso.settle(world::writeBack);
    }
}
