package org.fencepost.tm;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to another port, until it is cut: then it accepts, and swallows everything, like a network that drops packets. */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    public TcpProxy(int target) throws IOException {
        this.target = target;
        spawn(() -> {
            while (true) {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                spawn(() -> pass(near, far));
                spawn(() -> pass(far, near));
            }
        });
    }

    private interface Task {

        void run() throws IOException;
    }

    private static void spawn(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // the connection is over
            }
        }, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[4096];
        InputStream in = from.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            if (!cut) {
                to.getOutputStream().write(buffer, 0, n);
            }
        }
        from.close();
        to.close();
    }

    public int port() {
        return listener.getLocalPort();
    }

    public void cut() {
        cut = true;
    }

    /** Old connections lost bytes, so they end; new ones work. */
    public void heal() throws IOException {
        cut = false;
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        heal();
    }
}
