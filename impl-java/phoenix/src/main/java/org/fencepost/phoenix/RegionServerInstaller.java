package org.fencepost.phoenix;

import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;

/** Puts Fencepost in place in a region server, before its regions are opened: {@code hbase.coprocessor.regionserver.classes}. */
public final class RegionServerInstaller implements RegionServerCoprocessor {

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        FencepostTransactionProvider.install();
    }
}
