package org.fencepost.bench.ph1;

import java.nio.ByteBuffer;

/** Keys and rows as bytes. A key is its numbers, in whose order keys are; a row is its numbers and what fills it up to the size that TPC-C gives it. */
final class Numbers {

    private Numbers() {
    }

    /** @param numbers from 0 to 2^32 - 1 */
    static byte[] key(long... numbers) {
        ByteBuffer key = ByteBuffer.allocate(numbers.length * Integer.BYTES);
        for (long number : numbers) {
            key.putInt((int) number);
        }
        return key.array();
    }

    static long ofKey(byte[] key, int index) {
        return Integer.toUnsignedLong(ByteBuffer.wrap(key).getInt(index * Integer.BYTES));
    }

    /** @param bytes of the row, if its numbers take no more */
    static byte[] row(int bytes, long... numbers) {
        ByteBuffer row = ByteBuffer.allocate(Math.max(bytes, numbers.length * Long.BYTES));
        for (long number : numbers) {
            row.putLong(number);
        }
        return row.array();
    }

    static long of(byte[] row, int index) {
        return ByteBuffer.wrap(row).getLong(index * Long.BYTES);
    }

    static int count(byte[] row) {
        return row.length / Long.BYTES;
    }

    /** A copy in which something is added to one of the numbers. */
    static byte[] add(byte[] row, int index, long difference) {
        byte[] changed = row.clone();
        ByteBuffer.wrap(changed).putLong(index * Long.BYTES, of(row, index) + difference);
        return changed;
    }
}
