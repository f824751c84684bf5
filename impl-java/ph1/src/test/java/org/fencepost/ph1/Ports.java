package org.fencepost.ph1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Loopback addresses for a group: the port and the one 100 above are free. */
public final class Ports {

    private Ports() {
    }

    public static List<InetSocketAddress> free(int count) throws IOException {
        List<InetSocketAddress> found = new ArrayList<>();
        while (found.size() < count) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket second = new ServerSocket(first.getLocalPort() + 100, 1, InetAddress.getLoopbackAddress())) {
                InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.getLocalPort());
                if (!found.contains(address)) {
                    found.add(address);
                }
            } catch (IOException | IllegalArgumentException e) {
                continue; // the second is taken
            }
        }
        return found;
    }
}
