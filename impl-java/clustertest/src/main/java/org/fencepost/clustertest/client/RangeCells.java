package org.fencepost.clustertest.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.clustertest.verdict.RangeJudge;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.client.Index;

/** How the keys of scans are in HBase, in their order and in every region some; and in the index, by the bucket that their value is in. */
final class RangeCells {

    private static final long IN_REGION = RangeJudge.KEYS / Workload.REGIONS;
    /** Of the digit of the region, or of the bucket, and what separates it. */
    private static final int PREFIX = 2;

    private RangeCells() {
    }

    /** "3-34". */
    private static byte[] row(long key) {
        return Bytes.toBytes(String.format("%d-%02d", key / IN_REGION, key));
    }

    private static Long key(byte[] row) {
        return Long.valueOf(Bytes.toString(row).substring(PREFIX));
    }

    /** "1/3-34": of the value and the row, as an index wants it. */
    static byte[] indexKey(byte[] row, byte[] value) {
        return Bytes.add(bucket(Long.parseLong(Bytes.toString(value)) % RangeJudge.BUCKETS), row);
    }

    private static byte[] bucket(Object bucket) {
        return Bytes.toBytes(bucket + "/");
    }

    /** Carries a micro-operation out, and returns what came of it. */
    static List<Object> perform(RangeTx tx, List<Object> micro) {
        List<Object> done = new ArrayList<>(micro);
        switch (micro.get(0).toString()) {
            case "put" -> tx.write(row((Long) micro.get(1)), Bytes.toBytes(micro.get(2).toString()));
            case "delete" -> tx.write(row((Long) micro.get(1)), null);
            case "scan" -> done.set(2, rows(tx.scan(scan((List<?>) micro.get(1))),
                    row -> List.of(key(row.getRow()), Long.valueOf(Bytes.toString(row.getValue(Cells.FAMILY, Cells.COLUMN))))));
            default -> done.set(2, rows(tx.index(index((List<?>) micro.get(1))),
                    entry -> List.of(Long.valueOf(Bytes.toString(entry.getRow()).substring(0, 1)), key(entry.getValue(Index.FAMILY, Index.ROW)))));
        }
        return done;
    }

    private static Scan scan(List<?> range) {
        boolean reversed = (Boolean) range.get(3);
        byte[] from = row((Long) range.get(0));
        byte[] to = row((Long) range.get(1));
        Scan scan = new Scan().addColumn(Cells.FAMILY, Cells.COLUMN).setReversed(reversed).withStartRow(reversed ? to : from, !reversed)
                .withStopRow(reversed ? from : to, reversed);
        return (Long) range.get(2) > 0 ? scan.setLimit(((Long) range.get(2)).intValue()) : scan;
    }

    private static Scan index(List<?> buckets) {
        return new Scan().withStartRow(bucket(buckets.get(0))).withStopRow(bucket(buckets.get(1)));
    }

    /** Null for null. */
    private static List<Object> rows(ResultScanner scanner, Function<Result, List<Object>> what) {
        if (scanner == null) {
            return null;
        }
        List<Object> rows = new ArrayList<>();
        try (scanner) {
            scanner.forEach(row -> rows.add(what.apply(row)));
        }
        return rows;
    }
}
