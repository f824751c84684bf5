package org.fencepost.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** The frames that {@code org.fencepost.tm.wire.Wire} describes. */
public final class FencepostProtocol implements Protocol {

    private static final int MAGIC = 0x46505453;
    private static final short VERSION = 2;
    private static final byte HELLO = 1;
    private static final byte BEGIN = 2;
    private static final byte COMMIT = 3;
    private static final byte SESSION = 13;
    private static final byte WELCOME = 65;
    private static final byte ANSWER = 66;
    private static final byte GOODBYE = 68;
    private static final int HEADER = 4;

    /** The last bit of a request's id tells what it is; the other bits count. */
    private static final int COMMIT_BIT = 1;

    private int lastId;
    private int lastAnswered;

    @Override
    public void hello(ByteBuffer out) {
        out.putInt(7).put(HELLO).putInt(MAGIC).putShort(VERSION);
        out.putInt(9).put(SESSION).putLong(ThreadLocalRandom.current().nextLong() | 1);
    }

    @Override
    public void begin(ByteBuffer out) {
        out.putInt(5).put(BEGIN).putInt(lastId += 2);
    }

    @Override
    public void commit(ByteBuffer out, long startTs, long[] keys) {
        out.putInt(15 + 8 * (keys.length + 1)).put(COMMIT).putInt((lastId += 2) | COMMIT_BIT).putLong(startTs).putShort((short) 1);
        for (long key : keys) {
            out.putLong(key);
        }
        out.putLong(Generator.TABLE);
    }

    @Override
    public boolean answer(ByteBuffer in, Answers answers) {
        if (in.remaining() < HEADER || in.remaining() < HEADER + in.getInt(in.position())) {
            return false;
        }
        int length = in.getInt();
        int end = in.position() + length;
        byte type = in.get();
        if (type == ANSWER) {
            int id = in.getInt();
            boolean commit = (id & COMMIT_BIT) != 0;
            if ((id & ~COMMIT_BIT) != (lastAnswered += 2)) {
                throw new IllegalStateException("The transaction manager answered request " + id + " out of turn.");
            }
            long value = in.getLong();
            if (commit) {
                answers.ended(0, value > 0);
            } else if (value > 0) {
                answers.begun(value);
            } else {
                throw new IllegalStateException("The transaction manager has used up its timestamps and waits for ZooKeeper.");
            }
        } else if (type == WELCOME) {
            answers.greeted();
        } else {
            byte[] rest = new byte[length - 1];
            in.get(rest);
            throw new IllegalStateException(type == GOODBYE ? "The transaction manager refused: "
                    + new String(rest, 1, rest.length - 1, StandardCharsets.UTF_8) + "." : "A frame of type " + type + " came.");
        }
        in.position(end);
        return true;
    }
}
