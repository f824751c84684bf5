package org.fencepost.clustertest.ph1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;

/**
 * A user's connection to an {@link InstanceServer}, which is a session: a line for each step, and one for its answer, with tabs between the words. Used by one
 * thread. When it breaks, so does the session, and the operation's outcome is unknown.
 */
final class Instance implements AutoCloseable {

    static final String BEGIN = "begin";
    static final String GET = "get";
    static final String PUT = "put";
    static final String COMMIT = "commit";
    static final String ROLLBACK = "rollback";
    static final String OK = "ok";
    static final String ABORTED = "aborted";
    static final String UNKNOWN = "unknown";
    static final String FAILED = "failed";

    private static final int CONNECT_MILLIS = 1_000;

    private final String node;
    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;
    private boolean broken;

    /** @param timeout of an answer, in milliseconds @throws IOException if there is none at the node */
    Instance(String node, int timeout) throws IOException {
        this.node = node;
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(node, Places.PORT), CONNECT_MILLIS);
            socket.setSoTimeout(timeout);
            socket.setTcpNoDelay(true);
            this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    boolean isBroken() {
        return broken;
    }

    /**
     * The answer's word, of which there may be none.
     *
     * @param startTs of the transaction; 0 before there is one
     * @throws IllegalStateException if the connection breaks: then nobody knows what it did, and the session is over
     */
    String ask(long startTs, String... words) {
        String[] answer = answer(String.join("\t", words)).split("\t", -1);
        switch (answer[0]) {
            case OK:
                return answer[1];
            case ABORTED:
                throw new TransactionAbortedException(startTs, AbortCause.valueOf(answer[1]), null);
            case UNKNOWN:
                throw new OutcomeUnknownException(startTs, Long.parseLong(answer[1]), new StoreException(answer[2]));
            default:
                throw words[0].equals(BEGIN) ? new TransactionManagerException(answer[1]) : new StoreException(answer[1]);
        }
    }

    private String answer(String request) {
        String answer = null;
        try {
            out.println(request);
            answer = in.readLine();
        } catch (IOException e) {
            // as if it had ended
        }
        if (answer == null) {
            broken = true;
            close();
            throw new IllegalStateException("The connection to the instance at " + node + " broke.");
        }
        return answer;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
