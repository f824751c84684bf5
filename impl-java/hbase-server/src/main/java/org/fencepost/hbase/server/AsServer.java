package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;

/**
 * Runs a part of a request with the region server's own rights: for a step that the protocol lets everybody take who may read, and that
 * stores something. The caller checks first that it is no more than that.
 */
final class AsServer {

    private AsServer() {
    }

    static <T> T run(Exclusively.OnRow<T> step) throws IOException {
        Optional<RpcCall> call = RpcServer.unsetCurrentCall();
        try {
            return step.run();
        } finally {
            call.ifPresent(RpcServer::setCurrentCall);
        }
    }
}
