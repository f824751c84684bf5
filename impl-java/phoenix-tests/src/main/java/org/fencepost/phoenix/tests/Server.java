package org.fencepost.phoenix.tests;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;

/** HBase with HDFS and ZooKeeper, and Fencepost's transaction manager, in a process of its own, until its standard input ends. */
final class Server {

    static final String READY = "ready ";

    private Server() {
    }

    /** Prints one line with the JDBC URL when all of it serves. */
    public static void main(String[] none) {
        int code = 1;
        try {
            serve();
            code = 0;
        } catch (Exception e) { // whatever it is, the parent waits for a line or an end
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(code);
    }

    private static void serve() throws Exception {
        HBaseTestingUtility hbase = new HBaseTestingUtility(HBaseConfiguration.create());
        hbase.startMiniCluster();
        FencepostService.start(hbase.getConfiguration());
        System.out.println(READY + "jdbc:phoenix:" + hbase.getConfiguration().get("fencepost.tm.zookeeper"));
        while (System.in.read() >= 0) {
            // until whoever has started this closes it, or dies
        }
    }
}
