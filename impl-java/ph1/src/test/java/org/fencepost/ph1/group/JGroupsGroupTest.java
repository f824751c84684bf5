package org.fencepost.ph1.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.fencepost.ph1.Ports;
import org.fencepost.ph1.group.Frame.ViewName;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.ph1.KeyVersion;
import org.fencepost.protocol.ph1.ReplicatedVersions;
import org.fencepost.protocol.ph1.VersionTable;
import org.fencepost.protocol.store.StoreException;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three instances in one JVM, over loopback, with the real JGroups; cut off by its DISCARD. */
class JGroupsGroupTest {

    private static final Key KEY = new Key("accounts", new byte[] {1});
    private static final Key OTHER = new Key("accounts", new byte[] {2});
    private static final KeyVersion<ByteBuffer> OLD = new KeyVersion<>(0, null, 10);
    private static final KeyVersion<ByteBuffer> NEW = new KeyVersion<>(10, ByteBuffer.wrap(new byte[] {7}), 20);

    private final class Instance {
        final VersionTable<Key, ByteBuffer> copy = new VersionTable<>();
        final JGroupsGroup group;
        final ReplicatedVersions<Key, ByteBuffer> versions;

        Instance(int place) {
            group = new JGroupsGroup(new GroupSettings("test", addresses.get(place), addresses, 600, 1_000), copy,
                    (kind, body) -> CompletableFuture.completedFuture(new byte[] {(byte) place}));
            versions = new ReplicatedVersions<>(group, copy);
            instances.add(this);
        }

        void cutOff(boolean off) throws Exception {
            ProtocolStack stack = group.channel().getProtocolStack();
            if (off) {
                stack.insertProtocol(new DISCARD().discardAll(true), ProtocolStack.Position.ABOVE, TP.class);
            } else {
                stack.removeProtocol(DISCARD.class);
            }
        }

        int members() {
            return group.view().members().size();
        }
    }

    private final List<Instance> instances = new ArrayList<>();
    private List<InetSocketAddress> addresses;

    @BeforeEach
    void choosePorts() throws IOException {
        addresses = Ports.free(3);
    }

    @AfterEach
    void stop() {
        instances.forEach(instance -> instance.group.close());
    }

    private List<Instance> three() {
        for (int place = 0; place < 3; place++) {
            new Instance(place);
        }
        until(() -> instances.stream().allMatch(instance -> instance.members() == 3));
        return instances;
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within 20 s");
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aVersionThatIsSavedIsWithAll() {
        three().get(0).versions.save(Map.of(KEY, OLD));
        for (Instance instance : instances) {
            assertEquals(OLD, instance.versions.read(KEY, 10));
            assertNull(instance.versions.read(KEY, 11));
        }
    }

    /** More than a frame may have. */
    @Test
    void manyLargeVersionsAreSavedTogether() {
        Map<Key, KeyVersion<ByteBuffer>> versions = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            versions.put(new Key("accounts", new byte[] {(byte) i}), new KeyVersion<>(0, ByteBuffer.allocate(Frame.MAX_BYTES / 10), 10));
        }
        three().get(0).versions.save(versions);
        instances.forEach(instance -> assertEquals(versions.size(), instance.copy.state().size()));
        instances.get(0).versions.save(Map.of());
    }

    @Test
    void whoJoinsGetsTheVersionsBeforeItIsInTheView() {
        Instance one = new Instance(0);
        Instance two = new Instance(1);
        until(() -> one.members() == 2 && two.members() == 2);
        for (int i = 0; i < 2_000; i++) { // several parts
            one.versions.save(Map.of(new Key("accounts", ByteBuffer.allocate(4).putInt(i).array()), new KeyVersion<>(0, ByteBuffer.allocate(300), 10)));
        }
        Instance three = new Instance(2);
        until(() -> three.members() == 3);
        assertEquals(one.copy.state(), three.copy.state());
    }

    @Test
    void aMinorityNeitherSavesNorReadsNorEvicts() throws Exception {
        three().get(0).versions.save(Map.of(KEY, OLD));
        Instance alone = instances.get(2);
        instances.forEach(instance -> instance.versions.tellFloor(100));
        alone.cutOff(true);
        until(() -> instances.get(0).members() == 2 && instances.get(1).members() == 2 && alone.members() == 1);

        assertThrows(StoreException.class, () -> alone.versions.read(KEY, 10));
        assertThrows(StoreException.class, () -> alone.versions.evict(50));
        assertThrows(StoreException.class, () -> alone.versions.save(Map.of(OTHER, OLD)));
        assertEquals(OLD, alone.copy.read(KEY, 10));
        assertFalse(alone.group.isKeeper());

        instances.get(0).versions.save(Map.of(OTHER, NEW));
        assertNull(alone.copy.read(OTHER, 20));
        alone.cutOff(false);
        until(() -> alone.members() == 3);
        assertEquals(NEW, alone.versions.read(OTHER, 20));
    }

    @Test
    void whoIsCutOffAndDoesNotKnowYetIsNotConfirmed() throws Exception {
        Instance keeper = three().stream().filter(instance -> instance.group.isKeeper()).findFirst().orElseThrow();
        assertTrue(keeper.group.confirmed(keeper.group.viewNumber(), false));
        keeper.cutOff(true);
        assertFalse(keeper.group.confirmed(keeper.group.viewNumber(), false));
    }

    @Test
    void versionsGoWhenNoSnapshotOfAnyMemberNeedsThem() {
        three().get(0).versions.save(Map.of(KEY, OLD));
        instances.get(0).versions.tellFloor(11);
        instances.get(1).versions.tellFloor(11);
        until(() -> instances.get(0).group.floors().size() == 2);
        assertEquals(0, instances.get(0).versions.oldestSnapshot()); // the third has not told
        instances.get(2).versions.tellFloor(10);
        until(() -> instances.get(0).group.floors().size() == 3);
        assertEquals(10, instances.get(0).versions.oldestSnapshot());

        instances.get(0).versions.evict(11); // by mistake: the third keeps what it may need
        until(() -> instances.get(1).copy.read(KEY, 10) == null);
        assertEquals(OLD, instances.get(2).copy.read(KEY, 10));
        instances.get(2).versions.tellFloor(11);
        until(() -> instances.get(0).versions.oldestSnapshot() == 11);
        instances.get(0).versions.evict(11);
        until(() -> instances.get(2).copy.read(KEY, 10) == null);
    }

    @Test
    void whatMakesNoSenseDoesNoHarm() throws Exception {
        Address to = three().get(1).group.channel().address();
        JGroupsGroup from = instances.get(0).group;
        ViewName view = ViewName.of(from.channel().view().getViewId());
        byte[] hugeCount = Frame.body(out -> out.writeInt(Integer.MAX_VALUE));
        byte[] version = Frame.body(out -> {
            out.writeInt(1);
            Codec.writeKey(out, OTHER);
            Codec.writeVersion(out, OLD);
        });
        byte[] hugeValue = Frame.body(out -> {
            out.writeInt(1);
            out.writeUTF("accounts");
            out.writeShort(1);
            out.write(1);
            out.writeLong(0);
            out.writeLong(1);
            out.writeInt(Integer.MAX_VALUE);
        });
        for (byte[] bytes : List.of(new byte[0], new byte[] {1, 2, 3}, new byte[Frame.MAX_BYTES + 1], new Frame((byte) 99, 1, view, new byte[9]).encode(),
                new Frame(Kind.SAVE, 1, view, new byte[] {0}).encode(), new Frame(Kind.SAVE, 1, view, hugeValue).encode(),
                new Frame(Kind.STATE_PART, 0, view, hugeCount).encode(), new Frame(Kind.SAVE, 0, new ViewName(1, 2, 3), version).encode(),
                new Frame(Kind.ANSWER, 1, view, new byte[0]).encode(), new Frame(Kind.REFUSAL, 5, view, new byte[0]).encode())) {
            from.channel().send(new BytesMessage(to, bytes));
        }
        instances.get(0).versions.save(Map.of(KEY, OLD));
        assertEquals(OLD, instances.get(1).versions.read(KEY, 10));
        assertEquals(1, instances.get(1).copy.state().size());
    }

    @Test
    void theFirstMemberIsAsked() {
        Instance keeper = three().stream().filter(instance -> instance.group.isKeeper()).findFirst().orElseThrow();
        for (Instance instance : instances) {
            assertEquals(instances.indexOf(keeper), instance.group.askKeeper(Kind.HORIZON, new byte[0])[0]);
        }
    }
}
