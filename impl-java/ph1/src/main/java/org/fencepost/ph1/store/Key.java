package org.fencepost.ph1.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A key of a table: what a transaction reads and writes, and by what it is compared with others. Ordered by table, then by bytes, which
 * are unsigned. Immutable.
 */
public final class Key implements Comparable<Key> {

    /** The longest key, in bytes. Cassandra takes 65,535. */
    public static final int MAX_BYTES = 32 << 10;

    /** What is a name of a table in Cassandra and in HBase alike, without quotes. */
    private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,47}");
    private static final long PRIME = 0x100000001b3L;

    private final String table;
    private final byte[] bytes;

    /**
     * @param bytes copied; 1 to {@link #MAX_BYTES}
     * @throws IllegalArgumentException with a sentence, for what is no table's name or no key
     */
    public Key(String table, byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("A key has 1 to " + MAX_BYTES + " bytes, not " + bytes.length + ".");
        }
        this.table = requireTable(table);
        this.bytes = bytes.clone();
    }

    /**
     * The name, if it is one.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static String requireTable(String table) {
        if (table == null || !TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("A table's name has up to 48 lower-case letters, digits and _, and begins with a letter: not '" + table + "'.");
        }
        return table;
    }

    public String table() {
        return table;
    }

    /** A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Read-only. */
    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The next greater one of its table; null after the last. */
    public Key successor() {
        if (bytes.length < MAX_BYTES) {
            return new Key(table, Arrays.copyOf(bytes, bytes.length + 1));
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == (byte) 0xff) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(bytes, length);
        next[length - 1]++;
        return new Key(table, next);
    }

    /** 64 bits, by which the certifier compares write sets (FNV-1a, mixed): two keys that share them conflict. */
    public long hash() {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < table.length(); i++) {
            hash = (hash ^ table.charAt(i)) * PRIME;
        }
        hash *= PRIME;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        hash = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
        return hash ^ (hash >>> 29);
    }

    @Override
    public int compareTo(Key other) {
        int tables = table.compareTo(other.table);
        return tables != 0 ? tables : Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && table.equals(key.table) && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * table.hashCode() + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return table + "/" + new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
