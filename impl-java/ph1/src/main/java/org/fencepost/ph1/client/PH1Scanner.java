package org.fencepost.ph1.client;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.ph1.PH1;

/** The keys of a range as a transaction sees them, in order; it throws as {@link PH1Table#get} does. Used by the transaction's thread. */
public final class PH1Scanner implements Iterator<PH1Scanner.Entry> {

    /** Both are the caller's. */
    public record Entry(byte[] key, byte[] value) {
    }

    /** The store's keys in one request, if nothing else is asked for. */
    static final int PAGE = 128;
    public static final int LARGEST_PAGE = 1_000;

    private final PH1Client client;
    private final Transaction tx;
    private final Key to;
    private final int pageSize;
    /** Null: nothing is left beyond the page. */
    private Key next;
    private Iterator<Map.Entry<Key, ByteBuffer>> page = Map.<Key, ByteBuffer>of().entrySet().iterator();

    PH1Scanner(PH1Client client, Transaction tx, Key from, Key to, int pageSize) {
        this.client = client;
        this.tx = tx;
        this.next = from;
        this.to = to;
        this.pageSize = pageSize;
    }

    /** No key of a table is before. */
    static Key first(String table) {
        return new Key(table, new byte[] {0});
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext() && next != null) {
            tx.requireActiveIn(client);
            PH1.Page<Key, ByteBuffer> found = client.protocol().scan(tx.state(), next, to, pageSize, Comparator.naturalOrder());
            String table = next.table();
            found.found().keySet().removeIf(key -> !key.table().equals(table)); // what it wrote elsewhere
            next = found.last() == null ? null : found.last().successor();
            page = found.found().entrySet().iterator();
        }
        return page.hasNext();
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Map.Entry<Key, ByteBuffer> entry = page.next();
        return new Entry(entry.getKey().bytes(), Codec.bytes(entry.getValue()));
    }
}
