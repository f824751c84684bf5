package org.fencepost.tm;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.Wire;

/** A client without mercy: it writes what it wants and looks at what comes. */
public final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 60_000;

    private static final SecureRandom SESSIONS = new SecureRandom();

    private final long session = SESSIONS.nextLong() | 1;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    public RawClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** With a certificate. */
    public RawClient(int port, TlsFiles tls) throws IOException {
        this(tls.forClient().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
    }

    private RawClient(Socket connected) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Says hello; returns the type of the answer: WELCOME or GOODBYE. */
    public byte hello() throws IOException {
        out.writeInt(7);
        out.writeByte(Wire.HELLO);
        out.writeInt(Wire.MAGIC);
        out.writeShort(Wire.VERSION);
        out.writeInt(9);
        out.writeByte(Wire.SESSION);
        out.writeLong(session);
        return readFrame()[0];
    }

    public void begin(int id) throws IOException {
        out.writeInt(5);
        out.writeByte(Wire.BEGIN);
        out.writeInt(id);
    }

    /** False once the other side has closed the connection. Loses what has come otherwise. */
    public boolean isOpen() throws IOException {
        socket.setSoTimeout(50);
        try {
            return in.read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (SocketException e) {
            return false;
        } finally {
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }
    }

    /** For many small writes. */
    public DataOutputStream buffered() {
        return new DataOutputStream(new BufferedOutputStream(out, 1 << 13));
    }

    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** Type and fields; null at the end of the connection. */
    public byte[] readFrame() throws IOException {
        try {
            return in.readNBytes(in.readInt());
        } catch (EOFException | SocketException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
