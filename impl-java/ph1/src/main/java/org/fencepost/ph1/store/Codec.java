package org.fencepost.ph1.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.KeyVersion;
import org.fencepost.protocol.store.StoreException;

/**
 * Keys, values and write sets as bytes, in stores, in the redo log and between instances. What is read is checked: no more is taken than
 * there is, and each method throws IOException for bytes that it has not written.
 */
public final class Codec {

    /** The longest value, in bytes. */
    public static final int MAX_VALUE_BYTES = 1 << 20;
    /** The largest write set, encoded, in bytes: a record of the redo log is one cell of the store. */
    public static final int MAX_RECORD_BYTES = 2 << 20;

    private static final byte DELETED = 0;
    private static final byte VALUE = 1;

    private Codec() {
    }

    public static void writeKey(DataOutput out, Key key) throws IOException {
        out.writeUTF(key.table());
        byte[] bytes = key.bytes();
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    public static Key readKey(DataInput in) throws IOException {
        try {
            String table = in.readUTF();
            byte[] bytes = new byte[in.readUnsignedShort()];
            in.readFully(bytes);
            return new Key(table, bytes);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** @param value null: there is none */
    public static void writeValue(DataOutput out, ByteBuffer value) throws IOException {
        byte[] bytes = bytes(value);
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    /** Read-only; null if there is none. */
    public static ByteBuffer readValue(DataInput in) throws IOException {
        int length = in.readInt();
        if (length == -1) {
            return null;
        }
        if (length < 0 || length > MAX_VALUE_BYTES) {
            throw new IOException("a value of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public static void writeVersion(DataOutput out, KeyVersion<ByteBuffer> version) throws IOException {
        out.writeLong(version.from());
        out.writeLong(version.until());
        writeValue(out, version.value());
    }

    public static KeyVersion<ByteBuffer> readVersion(DataInput in) throws IOException {
        long from = in.readLong();
        long until = in.readLong();
        if (from < 0 || until <= from) {
            throw new IOException("a version from " + from + " until " + until);
        }
        return new KeyVersion<>(from, readValue(in), until);
    }

    /** A copy; null for null. */
    public static byte[] bytes(ByteBuffer value) {
        if (value == null) {
            return null;
        }
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        return bytes;
    }

    /** What the store holds for a cell: that it was deleted is a value, too. */
    static byte[] encode(Cell<ByteBuffer> cell) {
        byte[] value = bytes(cell.value());
        if (value == null) {
            return new byte[] {DELETED};
        }
        byte[] stored = new byte[value.length + 1];
        stored[0] = VALUE;
        System.arraycopy(value, 0, stored, 1, value.length);
        return stored;
    }

    /** Throws {@link StoreException} for what {@link #encode} has not made. */
    static Cell<ByteBuffer> decode(Key key, long ts, ByteBuffer stored) {
        boolean deleted = stored.remaining() == 1 && stored.get(stored.position()) == DELETED;
        if (ts <= 0 || !deleted && (stored.remaining() == 0 || stored.get(stored.position()) != VALUE)) {
            throw new StoreException("What table " + key.table() + " has for key " + key + " was not written by pH1: such tables have no other writers.");
        }
        return new Cell<>(ts, deleted ? null : ByteBuffer.wrap(bytes(stored), 1, stored.remaining() - 1).slice().asReadOnlyBuffer());
    }

    /** A write set; null values delete. */
    static byte[] encode(Map<Key, ByteBuffer> writes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(writes.size());
            for (Map.Entry<Key, ByteBuffer> write : writes.entrySet()) {
                writeKey(out, write.getKey());
                writeValue(out, write.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Throws {@link StoreException} for what {@link #encode} has not made. */
    static Map<Key, ByteBuffer> decodeWrites(byte[] bytes) {
        Map<Key, ByteBuffer> writes = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int keys = in.readInt(); keys > 0; keys--) {
                writes.put(readKey(in), readValue(in));
            }
            if (in.read() != -1) {
                throw new IOException("bytes too many");
            }
            return writes;
        } catch (IOException e) {
            throw new StoreException("A record of the redo log cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
