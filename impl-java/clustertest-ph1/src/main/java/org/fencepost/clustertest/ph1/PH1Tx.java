package org.fencepost.clustertest.ph1;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.clustertest.client.Tx;
import org.fencepost.hbase.layout.Layout;

/** A transaction of pH1's, at an instance. Rows are keys. */
final class PH1Tx implements Tx {

    private static final byte[] VALUE = {'v'};

    private final Instance instance;
    private final String table;
    private final long startTs;
    private long commitTs;
    private boolean ended;

    PH1Tx(Instance instance, String table) {
        this.instance = instance;
        this.table = table;
        this.startTs = Long.parseLong(instance.ask(0, Instance.BEGIN));
    }

    @Override
    public long startTimestamp() {
        return startTs;
    }

    @Override
    public long commitTimestamp() {
        return commitTs;
    }

    @Override
    public Result get(Get get) {
        String found = instance.ask(startTs, Instance.GET, table, Bytes.toString(get.getRow()));
        return found.isEmpty() ? Result.EMPTY_RESULT
                : Result.create(List.of(Layout.cell(get.getRow(), VALUE, VALUE, startTs, Cell.Type.Put, Bytes.toBytes(found))));
    }

    @Override
    public List<Result> get(List<Get> gets) {
        return gets.stream().map(this::get).toList();
    }

    @Override
    public void put(Put put) {
        byte[] value = CellUtil.cloneValue(put.getFamilyCellMap().firstEntry().getValue().get(0));
        instance.ask(startTs, Instance.PUT, table, Bytes.toString(put.getRow()), Bytes.toString(value));
    }

    @Override
    public void commit() {
        ended = true;
        commitTs = Long.parseLong(instance.ask(startTs, Instance.COMMIT));
    }

    @Override
    public boolean isBroken() {
        return instance.isBroken();
    }

    @Override
    public void close() {
        if (!ended && !instance.isBroken()) {
            instance.ask(startTs, Instance.ROLLBACK);
        }
    }
}
