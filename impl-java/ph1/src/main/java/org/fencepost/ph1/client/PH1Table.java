package org.fencepost.ph1.client;

import java.nio.ByteBuffer;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.store.StoreException;

/**
 * A table as transactions see it: one value for each key. Thread-safe.
 *
 * <p>Writes stay with the transaction until it commits; its own reads see them at once. Every method throws {@link TransactionFinishedException} once
 * the transaction is over, and {@link IllegalArgumentException} for keys and values that are too long. Reads also throw {@link StoreException} if
 * the store does not answer, which leaves the transaction active, and {@link TransactionAbortedException} (UNREADABLE) if the version that they need was
 * lost with the instances that held it.
 */
public final class PH1Table {

    private final PH1Client client;
    private final String name;

    PH1Table(PH1Client client, String name) {
        this.client = client;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /**
     * What the transaction sees of a key.
     *
     * @param key 1 to {@link Key#MAX_BYTES} bytes
     * @return the caller's; null if there is nothing
     */
    public byte[] get(Transaction tx, byte[] key) {
        tx.requireActiveIn(client);
        return Codec.bytes(client.protocol().read(tx.state(), new Key(name, key)));
    }

    /**
     * Writes a key.
     *
     * @param value copied; up to {@link Codec#MAX_VALUE_BYTES} bytes, not null
     */
    public void put(Transaction tx, byte[] key, byte[] value) {
        tx.requireActiveIn(client);
        if (value.length > Codec.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("A value has up to " + Codec.MAX_VALUE_BYTES + " bytes, not " + value.length + ".");
        }
        Key full = new Key(name, key);
        tx.reserve(full, value.length);
        client.protocol().write(tx.state(), full, ByteBuffer.wrap(value.clone()).asReadOnlyBuffer());
    }

    /** Deletes a key, whether there is something or not. */
    public void delete(Transaction tx, byte[] key) {
        tx.requireActiveIn(client);
        Key full = new Key(name, key);
        tx.reserve(full, 0);
        client.protocol().delete(tx.state(), full);
    }

    /**
     * Goes over the keys of a range that the transaction sees, in order, page by page. Its own writes are seen if they come before the page
     * they are on is fetched.
     *
     * @param from inclusive; null: from the first
     * @param to   exclusive; null: to the last
     */
    public PH1Scanner scanner(Transaction tx, byte[] from, byte[] to) {
        return scanner(tx, from, to, PH1Scanner.PAGE);
    }

    /**
     * The same for whoever needs the first few keys only.
     *
     * @param page the store's keys in one request, from 1 to {@link PH1Scanner#LARGEST_PAGE}
     */
    public PH1Scanner scanner(Transaction tx, byte[] from, byte[] to, int page) {
        tx.requireActiveIn(client);
        if (page < 1 || page > PH1Scanner.LARGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + PH1Scanner.LARGEST_PAGE + " keys, not " + page + ".");
        }
        return new PH1Scanner(client, tx, from == null ? PH1Scanner.first(name) : new Key(name, from), to == null ? null : new Key(name, to), page);
    }

    /**
     * Removes what the store keeps of a key that was deleted, if no snapshot needs it any more. To be called now and then for keys that were
     * deleted long ago.
     *
     * @param below only if it was deleted below this commit timestamp, so long ago that no request from then is under way
     * @return whether it was removed
     * @throws StoreException if the store does not answer
     */
    public boolean collect(byte[] key, long below) {
        return client.protocol().collectTombstone(new Key(name, key), below);
    }
}
