package org.fencepost.clustertest.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.clustertest.workload.Workload;

/**
 * How keys and values are in HBase. A cell's text ends in its tag: the last value of a list ("3 5 9"), a register, or behind a balance who
 * wrote it ("10 17").
 */
public final class Cells {

    public static final byte[] FAMILY = Bytes.toBytes("f");
    static final byte[] COLUMN = Bytes.toBytes("v");

    private Cells() {
    }

    public static String row(Object key) {
        return Math.floorMod((Long) key, Workload.REGIONS) + "-" + key;
    }

    static Get get(Object key) {
        return new Get(Bytes.toBytes(row(key))).addColumn(FAMILY, COLUMN);
    }

    static Put put(Object key, String text) {
        return new Put(Bytes.toBytes(row(key))).addColumn(FAMILY, COLUMN, Bytes.toBytes(text));
    }

    static String text(Result row) {
        return row.isEmpty() ? "" : Bytes.toString(row.value());
    }

    /** Null where nothing is. */
    static Long tag(String text) {
        return text.isEmpty() ? null : Long.valueOf(text.substring(text.lastIndexOf(' ') + 1));
    }

    static List<Object> list(String text) {
        List<Object> values = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String value : text.split(" ")) {
                values.add(Long.valueOf(value));
            }
        }
        return values;
    }
}
