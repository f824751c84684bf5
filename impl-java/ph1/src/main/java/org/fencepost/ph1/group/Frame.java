package org.fencepost.ph1.group;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jgroups.Address;
import org.jgroups.ViewId;
import org.jgroups.util.UUID;

/**
 * What instances send each other, in JGroups' messages: a kind, the number of the call that it belongs to, the view in which it was sent, and
 * a body. There are no Java objects in it.
 *
 * @param call 0: nobody waits for an answer
 */
record Frame(byte kind, long call, ViewName view, byte[] body) {

    /** The largest, in bytes; what is larger is dropped unread. */
    static final int MAX_BYTES = 4 << 20;
    private static final int HEAD_BYTES = 1 + 4 * Long.BYTES;

    /** Which view: two halves may count alike, but not with the same creator. */
    record ViewName(long most, long least, long number) {

        static final ViewName NONE = new ViewName(0, 0, -1);

        static ViewName of(ViewId id) {
            Address creator = id.getCreator();
            return creator instanceof UUID uuid ? new ViewName(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits(), id.getId()) : NONE;
        }
    }

    /** Writes a body. */
    interface Body {
        void writeTo(DataOutputStream out) throws IOException;
    }

    static final byte[] EMPTY = {};

    static byte[] body(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            body.writeTo(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static DataInputStream in(byte[] body) {
        return new DataInputStream(new ByteArrayInputStream(body));
    }

    byte[] encode() {
        return body(out -> {
            out.writeByte(kind);
            out.writeLong(call);
            out.writeLong(view.most());
            out.writeLong(view.least());
            out.writeLong(view.number());
            out.write(body);
        });
    }

    /** Throws IOException for what is too short or too long. */
    static Frame decode(byte[] bytes, int offset, int length) throws IOException {
        if (length < HEAD_BYTES || length > MAX_BYTES) {
            throw new IOException("a frame of " + length + " bytes");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, offset, length))) {
            return new Frame(in.readByte(), in.readLong(), new ViewName(in.readLong(), in.readLong(), in.readLong()), in.readAllBytes());
        }
    }
}
