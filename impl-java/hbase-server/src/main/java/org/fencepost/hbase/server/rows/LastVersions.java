package org.fencepost.hbase.server.rows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;

/**
 * What the fast path wrote last in the rows of a region that it writes often: VLDB'18 section 4.2 keeps maxVersion with each
 * key, and HBase would look it up. One column a row. Whoever changes a row forgets it first, under the row's lock.
 *
 * <p>Deletions are not kept: a compaction, which takes no row lock, may collect them.
 */
public final class LastVersions {

    /** Rows; some 200 bytes each. */
    private static final int SIZE = 50_000;

    private record Last(byte[] family, byte[] qualifier, long version) {
    }

    private final Cache<Bytes, Last> rows = Caffeine.newBuilder().maximumSize(SIZE).executor(Runnable::run).build();

    /** The version of the column's newest record, which is committed; NIL if that is not known. The row is locked. */
    public long get(byte[] row, byte[] family, byte[] qualifier) {
        Last last = rows.getIfPresent(new Bytes(row));
        return last != null && Arrays.equals(last.family, family) && Arrays.equals(last.qualifier, qualifier) ? last.version
                : Timestamps.NIL;
    }

    public void set(byte[] row, byte[] family, byte[] qualifier, long version) {
        rows.put(new Bytes(row), new Last(family, qualifier, version));
    }

    public void forget(byte[] row) {
        rows.invalidate(new Bytes(row));
    }
}
