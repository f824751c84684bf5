package org.fencepost.phoenix;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.Coprocessors;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;

/**
 * Coprocessor of HBase's master. Tables that somebody else creates with our coprocessor {@link org.fencepost.hbase.server.DecidingRegionObserver}, as Apache Phoenix
 * does, come without what transactions need in a table's description: here they get it, with the commit table and the span of the master's
 * configuration ({@link Settings#COMMIT_TABLE}, {@link Settings#SPAN}). What a description has already stays.
 */
public final class TableDefaults implements MasterCoprocessor, MasterObserver {

    @Override
    public Optional<MasterObserver> getMasterObserver() {
        return Optional.of(this);
    }

    @Override
    public TableDescriptor preCreateTableRegionsInfos(ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table)
            throws IOException {
        return completed(context.getEnvironment().getConfiguration(), table);
    }

    @Override
    public TableDescriptor preModifyTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name, TableDescriptor present,
            TableDescriptor changed) throws IOException {
        return completed(context.getEnvironment().getConfiguration(), changed);
    }

    private static TableDescriptor completed(Configuration conf, TableDescriptor table) throws IOException {
        if (!table.hasCoprocessor(Coprocessors.DECIDING)) {
            return table;
        }
        try {
            TableName commitTable = TableAttributes.commitTableOf(table);
            TableDescriptor transactional = Tables.transactional(table, commitTable == null
                    ? TableName.valueOf(conf.get(Settings.COMMIT_TABLE, Settings.DEFAULT_COMMIT_TABLE)) : commitTable);
            long span = TableAttributes.spanOf(table);
            return Tables.checkpoints(transactional, span == TableAttributes.NO_SPAN ? conf.getLong(Settings.SPAN, Settings.DEFAULT_SPAN) : span);
        } catch (RuntimeException e) {
            throw new DoNotRetryIOException(e.getMessage(), e); // HBase would abort the master
        }
    }
}
