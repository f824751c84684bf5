package org.fencepost.hbase.server;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.AuthManager;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * What HBase's AccessController says of the caller of a request, for what a coprocessor does beyond the request itself. Where HBase checks no
 * rights, everybody has all.
 */
final class Rights {

    /** Null where none are checked. */
    private final AuthManager rights;
    private final TableName table;

    private Rights(AuthManager rights, TableName table) {
        this.rights = rights;
        this.table = table;
    }

    static Rights on(RegionCoprocessorEnvironment environment) {
        TableName table = environment.getRegionInfo().getTable();
        AccessController controller = environment.getRegion() instanceof HRegion region
                ? region.getCoprocessorHost().findCoprocessor(AccessController.class) : null;
        boolean checked = controller != null && AccessChecker.isAuthorizationSupported(ServerManager.configuration(environment));
        return new Rights(checked ? controller.getAuthManager() : null, table);
    }

    /** On all of the table. */
    boolean mayWrite() {
        return may(Action.WRITE);
    }

    boolean mayAdminister() {
        return may(Action.ADMIN);
    }

    private boolean may(Action action) {
        return rights == null || rights.authorizeUserTable(caller(), table, action);
    }

    private static User caller() {
        return RpcServer.getRequestUser().orElseGet(() -> {
            try {
                return User.getCurrent();
            } catch (java.io.IOException e) {
                return null; // who may do nothing
            }
        });
    }
}
