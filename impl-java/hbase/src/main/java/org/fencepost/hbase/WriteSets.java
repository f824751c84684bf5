package org.fencepost.hbase;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;

/** Mediator's write sets as bytes, for the log: of each row its table, its key, and the cells that change. */
final class WriteSets {

    private WriteSets() {
    }

    static byte[] encode(Map<RowKey, List<Cell>> writes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(writes.size());
            for (Map.Entry<RowKey, List<Cell>> row : writes.entrySet()) {
                out.writeUTF(row.getKey().table().getNameAsString());
                write(out, row.getKey().row());
                out.writeInt(row.getValue().size());
                for (Cell cell : row.getValue()) {
                    write(out, KeyValueUtil.copyToNewByteArray(cell));
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
    static Map<RowKey, List<Cell>> decode(byte[] bytes) {
        Map<RowKey, List<Cell>> writes = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int rows = in.readInt(); rows > 0; rows--) {
                RowKey key = new RowKey(TableName.valueOf(in.readUTF()), read(in));
                List<Cell> cells = new ArrayList<>();
                for (int count = in.readInt(); count > 0; count--) {
                    cells.add(new KeyValue(read(in)));
                }
                writes.put(key, cells);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writes;
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    /** A log of write sets, kept by one of bytes. */
    static Log<Map<RowKey, List<Cell>>> in(Log<byte[]> log) {
        return record -> log.append(new LogRecord<>(record.startTs(), record.commitTs(),
                record.commits() ? encode(record.writes()) : null));
    }
}
