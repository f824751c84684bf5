package org.fencepost.hbase.server.rows;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.Fixture;
import org.fencepost.protocol.Versions;
import org.junit.jupiter.api.Test;

/** What no test can make HBase do at the right moment. */
class SnapshotRowsTest {

    private static final byte[] ROW = Bytes.toBytes("row");

    /** The removal comes after the scanner's page and before the second look. */
    @Test
    void aRowThatIsRemovedMeanwhileIsNoRowWithoutCells() throws IOException {
        TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build();
        Region removed = (Region) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Region.class},
                (proxy, method, arguments) -> method.getName().equals("get") ? new ArrayList<Cell>() : table);
        Result page = Result.create(List.of(pending(200), pending(104)));
        assertSame(page, SnapshotRows.read(removed, new Scan().readVersions(2), page, 300, new Versions(8, 1)));
    }

    private static Cell pending(long version) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(ROW).setFamily(Fixture.F).setQualifier(Bytes.toBytes("a"))
                .setTimestamp(version).setType(Cell.Type.Put).setValue(ROW).build();
    }
}
