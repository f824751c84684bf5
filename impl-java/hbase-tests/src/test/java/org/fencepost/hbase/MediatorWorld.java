package org.fencepost.hbase;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Internals.MediatorSeams;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.MediatorServers;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.WriteSets;
import org.fencepost.hbase.store.Connections;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/** Mediator for a test: tables on the fixture's HBase, its clients, a status oracle in this process, and native clients. */
final class MediatorWorld {

    final Fixture hbase;
    final LocalTso tso;
    /** For the helper, and whoever recovers. */
    final DataServers<CellKey, Write<byte[]>> servers;

    /** @param span of the stamps */
    MediatorWorld(Fixture fixture, long span, Tracer tracer) throws IOException {
        hbase = fixture.withSpan(span);
        hbase.conf.setLong(Settings.MEDIATOR_WAIT, 100);
        servers = new MediatorServers(hbase.closing(Connections.open(hbase.conf)), 20_000);
        tso = new LocalTso(hbase.manager, this::writeBack, tracer);
    }

    void writeBack(byte[] writes, long commitTs) {
        servers.writeBack(WriteSets.decode(writes), commitTs);
    }

    MediatorClient client(String isolation) {
        return client(isolation, MediatorSeams.NONE);
    }

    MediatorClient client(String isolation, MediatorSeams seams) {
        return client(isolation, tso, tso::append, seams);
    }

    MediatorClient client(String isolation, Oracle oracle, Log<byte[]> log, MediatorSeams seams) {
        Configuration conf = new Configuration(hbase.conf);
        conf.set(Settings.MEDIATOR_ISOLATION, isolation);
        return hbase.closing(Internals.open(conf, oracle, log, seams));
    }

    // ---- native clients

    void put(TableName name, String row, String... qualifiersAndValues) throws IOException {
        nativeClient(name, table -> table.put(Fixture.put(row, qualifiersAndValues)));
    }

    void delete(TableName name, Delete delete) throws IOException {
        nativeClient(name, table -> table.delete(delete));
    }

    String get(TableName name, String row) throws IOException {
        try (Table table = hbase.connection.getTable(name)) {
            return Fixture.show(table.get(new Get(Bytes.toBytes(row))));
        }
    }

    interface Request {
        void send(Table table) throws IOException;
    }

    void nativeClient(TableName name, Request request) throws IOException {
        try (Table table = hbase.connection.getTable(name)) {
            request.send(table);
        }
    }

    /** The timestamp of the last version of column a; 0 if there is none. */
    long lastVersion(TableName name, String row) {
        CellKey key = new CellKey(name, Bytes.toBytes(row), Fixture.F, Bytes.toBytes("a"));
        var found = servers.get(List.of(key)).get(key);
        return found == null ? 0 : found.ts();
    }
}
