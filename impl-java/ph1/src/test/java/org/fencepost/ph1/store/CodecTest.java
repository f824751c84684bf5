package org.fencepost.ph1.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.Test;

class CodecTest {

    private static final Key KEY = new Key("accounts", new byte[] {0, (byte) 0xff});

    private static ByteBuffer buffer(int... bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
        Arrays.stream(bytes).forEach(b -> buffer.put((byte) b));
        return buffer.flip().asReadOnlyBuffer();
    }

    @Test
    void aCellIsWhatItWas() {
        for (ByteBuffer value : new ByteBuffer[] {null, buffer(), buffer(0), buffer(1, 2, 3)}) {
            Cell<ByteBuffer> cell = new Cell<>(7, value);
            assertEquals(cell, Codec.decode(KEY, 7, ByteBuffer.wrap(Codec.encode(cell))));
        }
    }

    @Test
    void whatOthersHaveWrittenIsNoCell() {
        for (ByteBuffer stored : new ByteBuffer[] {buffer(), buffer(2), buffer(0, 1), buffer('x')}) {
            StoreException e = assertThrows(StoreException.class, () -> Codec.decode(KEY, 7, stored));
            assertTrue(e.getMessage().contains("was not written by pH1"), e.getMessage());
        }
        assertThrows(StoreException.class, () -> Codec.decode(KEY, 0, buffer(1)));
    }

    /** Truncated, longer, or altered: another write set or an error, and never more memory than a value may have. */
    @Test
    void aRecordIsReadAsAWholeOrNotAtAll() {
        Map<Key, ByteBuffer> writes = new LinkedHashMap<>();
        writes.put(KEY, null);
        writes.put(new Key("b", new byte[] {1}), buffer(1, 2, 3));
        byte[] bytes = Codec.encode(writes);
        assertEquals(writes, Codec.decodeWrites(bytes));
        for (int length = 0; length < bytes.length; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThrows(StoreException.class, () -> Codec.decodeWrites(shorter));
        }
        assertThrows(StoreException.class, () -> Codec.decodeWrites(Arrays.copyOf(bytes, bytes.length + 1)));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] altered = bytes.clone();
            altered[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                Codec.decodeWrites(altered);
            } catch (StoreException e) {
                assertTrue(e.getMessage().startsWith("A record of the redo log cannot be read"), e.getMessage());
            }
        }
    }

    @Test
    void keysAreInTheOrderOfTheirBytes() {
        Key longest = new Key("a", new byte[Key.MAX_BYTES]);
        byte[] last = new byte[Key.MAX_BYTES];
        Arrays.fill(last, (byte) 0xff);
        assertTrue(new Key("a", new byte[] {(byte) 0x80}).compareTo(new Key("a", new byte[] {0x7f, 1})) > 0);
        assertTrue(new Key("a", last).compareTo(new Key("b", new byte[] {0})) < 0);
        for (Key key : new Key[] {KEY, longest}) {
            assertTrue(key.successor().compareTo(key) > 0);
        }
        assertNull(new Key("a", last).successor());
        assertEquals(KEY.hash(), new Key("accounts", new byte[] {0, (byte) 0xff}).hash());
        assertNotEquals(new Key("ab", new byte[] {'c'}).hash(), new Key("a", new byte[] {'b', 'c'}).hash());
    }

    @Test
    void whatIsNoKeyIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Key("a", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new Key("a", new byte[Key.MAX_BYTES + 1]));
        for (String table : new String[] {null, "", "A", "1a", "a;drop", "a.b", "x".repeat(49)}) {
            assertThrows(IllegalArgumentException.class, () -> new Key(table, new byte[1]));
        }
    }
}
