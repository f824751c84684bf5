package org.fencepost.bench.load;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.omid.proto.TSOProto;

/** Apache Omid's messages: protobuf behind a length of 32 bits. */
public final class OmidProtocol implements Protocol {

    /** Its manager where the low-latency mode is on, and as it comes. */
    public static final String LL = "omid-ll";
    public static final String DEFAULT = "omid-default";

    private static final int HEADER = 4;
    private static final byte[] BEGIN = TSOProto.Request.newBuilder()
            .setTimestampRequest(TSOProto.TimestampRequest.getDefaultInstance()).build().toByteArray();

    private byte[] scratch = new byte[1 << 12];

    @Override
    public void hello(ByteBuffer out) {
        put(out, TSOProto.Request.newBuilder().setHandshakeRequest(TSOProto.HandshakeRequest.newBuilder()
                .setClientCapabilities(TSOProto.Capabilities.getDefaultInstance())).build());
    }

    @Override
    public void begin(ByteBuffer out) {
        out.putInt(BEGIN.length).put(BEGIN);
    }

    @Override
    public void commit(ByteBuffer out, long startTs, long[] keys) {
        TSOProto.CommitRequest.Builder commit = TSOProto.CommitRequest.newBuilder().setStartTimestamp(startTs);
        for (long key : keys) {
            commit.addCellId(key);
        }
        put(out, TSOProto.Request.newBuilder().setCommitRequest(commit.addTableId(Generator.TABLE)).build());
    }

    private void put(ByteBuffer out, TSOProto.Request request) {
        int length = request.getSerializedSize();
        try {
            request.writeTo(CodedOutputStream.newInstance(scratch(length), 0, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.putInt(length).put(scratch, 0, length);
    }

    @Override
    public boolean answer(ByteBuffer in, Answers answers) {
        if (in.remaining() < HEADER || in.remaining() < HEADER + in.getInt(in.position())) {
            return false;
        }
        int length = in.getInt();
        in.get(scratch(length), 0, length);
        TSOProto.Response response;
        try {
            response = TSOProto.Response.parseFrom(CodedInputStream.newInstance(scratch, 0, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (response.hasTimestampResponse()) {
            answers.begun(response.getTimestampResponse().getStartTimestamp());
        } else if (response.hasCommitResponse()) {
            answers.ended(response.getCommitResponse().getStartTimestamp(), !response.getCommitResponse().getAborted());
        } else if (response.hasHandshakeResponse() && response.getHandshakeResponse().getClientCompatible()) {
            answers.greeted();
        } else {
            throw new IllegalStateException("Apache Omid answered: " + response);
        }
        return true;
    }

    private byte[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new byte[2 * length];
        }
        return scratch;
    }
}
