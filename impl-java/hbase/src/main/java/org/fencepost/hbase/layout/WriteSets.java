package org.fencepost.hbase.layout;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.Write;

/** Write sets as bytes, for Mediator's log and for batches of several rows: of each column its table, its key, and the value unless it is deleted. */
public final class WriteSets {

    private WriteSets() {
    }

    static byte[] encode(Map<CellKey, Write<byte[]>> writes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(writes.size());
            for (Map.Entry<CellKey, Write<byte[]>> write : writes.entrySet()) {
                CellKey key = write.getKey();
                out.writeUTF(key.table().getNameAsString());
                write(out, key.row());
                write(out, key.family());
                write(out, key.qualifier());
                out.writeBoolean(write.getValue().isTombstone());
                if (!write.getValue().isTombstone()) {
                    write(out, write.getValue().value());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Throws UncheckedIOException if the bytes are none of {@link #encode}. */
    public static Map<CellKey, Write<byte[]>> decode(byte[] bytes) {
        Map<CellKey, Write<byte[]>> writes = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int columns = in.readInt(); columns > 0; columns--) {
                CellKey key = new CellKey(TableName.valueOf(in.readUTF()), read(in), read(in), read(in));
                writes.put(key, in.readBoolean() ? Write.tombstone() : Write.of(read(in)));
            }
            require(in.available() == 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(new IOException("A write set names a table that cannot be one.", e));
        }
        return writes;
    }

    private static byte[] read(DataInputStream in) throws IOException {
        int length = in.readInt();
        require(length >= 0 && length <= in.available());
        return in.readNBytes(length);
    }

    private static void require(boolean whole) throws IOException {
        if (!whole) {
            throw new IOException("A write set was cut off, or is none.");
        }
    }

    /** A log of write sets, kept by one of bytes. */
    public static Log<Map<CellKey, Write<byte[]>>> in(Log<byte[]> log) {
        return record -> log.append(new LogRecord<>(record.startTs(), record.commitTs(),
                record.commits() ? encode(record.writes()) : null));
    }
}
