package org.fencepost.ph1.group;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.fencepost.ph1.group.Frame.ViewName;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.ph1.Group;
import org.fencepost.protocol.ph1.KeyVersion;
import org.fencepost.protocol.ph1.VersionTable;
import org.fencepost.protocol.store.StoreException;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group of instances (pH1 section 4-C) on JGroups, which finds members, notices who is dead, and agrees on views.
 *
 * <p>A frame counts only where sender and receiver are in the same view. So who has answered SAVE in a view held the version before it saw the
 * next one, and whoever joins then gets it with the others' state. An instance gets the versions of all that are new to it, and is in no view
 * until it has them: two halves that meet again hold what either held.
 *
 * <p>A member drops no version that its own snapshots may need, whoever asks. Thread-safe.
 */
public final class JGroupsGroup implements Group<Key, ByteBuffer>, Receiver, AutoCloseable {

    /** Answers what is sent to the keeper. The future may fail: the caller gets its message. */
    public interface Service {
        CompletableFuture<byte[]> handle(byte kind, DataInputStream body) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsGroup.class);
    /** Of a part of the state; a single version may be larger. */
    private static final int PART_BYTES = 256 << 10;
    private static final long PAUSE_MILLIS = 20;

    private record Call(Address to, CompletableFuture<byte[]> answer) {
    }

    private final JChannel channel;
    private final int instances;
    private final long callMillis;
    private final VersionTable<Key, ByteBuffer> copy;
    private final Service service;
    private final ExecutorService work;
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, Call> open = new ConcurrentHashMap<>();
    private final Map<Address, Long> floors = new ConcurrentHashMap<>();
    private volatile Members members = Members.NONE;
    private volatile boolean closed;

    /**
     * Joins the group, or begins one; returns when JGroups has a view.
     *
     * @param copy    of the version store, this instance's
     * @param service of this instance as keeper
     * @throws StoreException if the address cannot be listened on, or the others do not let it in
     */
    public JGroupsGroup(GroupSettings settings, VersionTable<Key, ByteBuffer> copy, Service service) {
        this.instances = settings.members().size();
        this.callMillis = settings.callMillis();
        this.copy = copy;
        this.service = service;
        this.work = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "ph1-group");
            thread.setDaemon(true);
            return thread;
        });
        try {
            channel = Stack.channel(settings);
            channel.setReceiver(this);
            channel.connect(settings.cluster());
        } catch (Exception e) {
            work.shutdownNow();
            throw new StoreException("The group " + settings.cluster() + " could not be joined at " + settings.bind() + ": " + e.getMessage(), e);
        }
    }

    /** For tests, which break it. */
    JChannel channel() {
        return channel;
    }

    // ---- views

    @Override
    public void viewAccepted(org.jgroups.View view) {
        Members now = install(view);
        LOG.info("View {}: {} of {} instances, versions of {} awaited.", now.number(), now.addresses().size(), instances, now.awaited().size());
        open.values().stream().filter(call -> !now.addresses().contains(call.to()))
                .forEach(call -> call.answer().completeExceptionally(new StoreException(Members.nameOf(call.to()) + " has left the view.")));
        now.awaited().forEach(member -> submit(() -> fetch(now.number(), member)));
    }

    private synchronized Members install(org.jgroups.View view) {
        Members before = members;
        List<Address> addresses = List.copyOf(view.getMembers());
        Set<Address> awaited = new HashSet<>(addresses);
        before.addresses().forEach(awaited::remove);
        awaited.addAll(before.awaited());
        awaited.retainAll(addresses);
        awaited.remove(channel.address());
        Members now = new Members(before.number() + 1, ViewName.of(view.getViewId()), addresses, Set.copyOf(awaited));
        members = now;
        floors.keySet().retainAll(addresses);
        return now;
    }

    private void submit(Runnable task) {
        if (!closed) {
            work.execute(task);
        }
    }

    /** Gets a member's versions, unless the view changes in the meantime, which asks anew. */
    private void fetch(long number, Address member) {
        while (!closed && members.number() == number) {
            try {
                await(call(members, member, Kind.STATE, Frame.EMPTY), callMillis);
                arrived(number, member);
                return;
            } catch (StoreException e) {
                pause();
            }
        }
    }

    private synchronized void arrived(long number, Address member) {
        Members now = members;
        if (now.number() == number) {
            Set<Address> awaited = new HashSet<>(now.awaited());
            awaited.remove(member);
            members = new Members(number, now.name(), now.addresses(), Set.copyOf(awaited));
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted.", e);
        }
    }

    @Override
    public View view() {
        Members now = members;
        return new View(now.number(), now.names());
    }

    @Override
    public int instances() {
        return instances;
    }

    /** Whether this instance is the first of a view of most instances, and has their versions. */
    public boolean isKeeper() {
        return isKeeper(members);
    }

    private boolean isKeeper(Members now) {
        return now.isComplete() && 2 * now.addresses().size() > instances && channel.address().equals(now.keeper());
    }

    /** Whether it was closed: it answers nothing any more. */
    public boolean isClosed() {
        return closed;
    }

    /** The present view's number; another one after each change. */
    public long viewNumber() {
        return members.number();
    }

    /**
     * Whether other members have told, since the call, that they are still in the view.
     *
     * @param number of the view, this instance's
     * @param all    all of them; otherwise enough for most instances
     */
    public boolean confirmed(long number, boolean all) {
        Members now = members;
        if (now.number() != number || !now.isComplete()) {
            return false;
        }
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (Address member : now.addresses()) {
            if (!member.equals(channel.address())) {
                answers.add(call(now, member, Kind.CONFIRM, Frame.EMPTY));
            }
        }
        int needed = all ? answers.size() : instances / 2;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(callMillis);
        CompletableFuture<Boolean> enough = new CompletableFuture<>();
        AtomicLong yes = new AtomicLong();
        AtomicLong left = new AtomicLong(answers.size());
        answers.forEach(answer -> answer.whenComplete((body, failure) -> {
            if (failure == null && yes.incrementAndGet() >= needed) {
                enough.complete(true);
            }
            if (left.decrementAndGet() == 0) {
                enough.complete(yes.get() >= needed);
            }
        }));
        try {
            return needed <= 0 || enough.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // ---- requests

    /**
     * Asks the keeper, which may be this instance.
     *
     * @throws StoreException if there is none, it refuses, or does not answer in time; it may have carried the request out
     */
    public byte[] askKeeper(byte kind, byte[] body) {
        Members now = members;
        if (now.keeper() == null || !now.isComplete()) {
            throw new StoreException("This instance is in no view yet.");
        }
        return await(now.keeper().equals(channel.address()) ? handled(kind, body) : call(now, now.keeper(), kind, body), callMillis);
    }

    private CompletableFuture<byte[]> call(Members view, Address to, byte kind, byte[] body) {
        long number = calls.incrementAndGet();
        CompletableFuture<byte[]> answer = new CompletableFuture<byte[]>().orTimeout(callMillis, TimeUnit.MILLISECONDS);
        open.put(number, new Call(to, answer));
        answer.whenComplete((bytes, failure) -> open.remove(number));
        try {
            transmit(to, new Frame(kind, number, view.name(), body));
        } catch (StoreException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private void transmit(Address to, Frame frame) {
        try {
            channel.send(new BytesMessage(to, frame.encode()));
        } catch (Exception e) {
            throw new StoreException("Nothing can be sent to " + Members.nameOf(to) + ": " + e.getMessage(), e);
        }
    }

    private static byte[] await(CompletableFuture<byte[]> answer, long millis) {
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof StoreException known ? new StoreException(known.getMessage(), known) : noAnswer(cause);
        } catch (TimeoutException e) {
            throw noAnswer(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted while waiting for another instance.", e);
        }
    }

    private static StoreException noAnswer(Throwable e) {
        return new StoreException(e.getMessage() == null ? "Another instance does not answer in time." : e.getMessage(), e);
    }

    private void tellAll(byte kind, byte[] body) {
        Members now = members;
        for (Address member : now.addresses()) {
            if (!member.equals(channel.address())) {
                transmit(member, new Frame(kind, 0, now.name(), body));
            }
        }
    }

    // ---- what the protocol asks for

    /** In frames of a bounded size, whose answers are awaited together. */
    @Override
    public void send(String member, Map<Key, KeyVersion<ByteBuffer>> versions) {
        Members now = members;
        Address to = now.addresses().stream().filter(address -> Members.nameOf(address).equals(member)).findFirst()
                .orElseThrow(() -> new StoreException(member + " has left the view."));
        if (to.equals(channel.address())) {
            versions.forEach(copy::save);
            return;
        }
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        inParts(versions.entrySet().stream().map(each -> encoded(each.getKey(), each.getValue())).iterator(),
                part -> answers.add(call(now, to, Kind.SAVE, part)));
        answers.forEach(answer -> await(answer, callMillis));
    }

    private static byte[] encoded(Key key, KeyVersion<ByteBuffer> version) {
        return Frame.body(out -> {
            Codec.writeKey(out, key);
            Codec.writeVersion(out, version);
        });
    }

    /** Each part tells how many versions are in it. There is one at least. */
    private static void inParts(Iterator<byte[]> versions, Consumer<byte[]> parts) {
        do {
            List<byte[]> part = new ArrayList<>();
            for (int bytes = 0; versions.hasNext() && bytes < PART_BYTES; bytes += part.get(part.size() - 1).length) {
                part.add(versions.next());
            }
            parts.accept(Frame.body(out -> {
                out.writeInt(part.size());
                for (byte[] version : part) {
                    out.write(version);
                }
            }));
        } while (versions.hasNext());
    }

    @Override
    public void tellFloor(long floor) {
        floors.put(channel.address(), floor);
        tellAll(Kind.FLOOR, Frame.body(out -> out.writeLong(floor)));
    }

    @Override
    public Map<String, Long> floors() {
        Map<String, Long> named = new ConcurrentHashMap<>();
        floors.forEach((address, floor) -> named.put(Members.nameOf(address), floor));
        return named;
    }

    @Override
    public void evict(long below) {
        evictHere(below);
        tellAll(Kind.EVICT, Frame.body(out -> out.writeLong(below)));
    }

    /** Whoever asks: not what this instance's snapshots may need. */
    private void evictHere(long below) {
        copy.evict(Math.min(below, floors.getOrDefault(channel.address(), 0L)));
    }

    // ---- what arrives

    @Override
    public void receive(Message message) {
        Address from = message.getSrc();
        Frame frame;
        try {
            frame = Frame.decode(message.getArray(), message.getOffset(), message.getLength());
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} has sent what is no message of pH1: {}", from, e.getMessage());
            return;
        }
        try {
            take(from, frame);
        } catch (IOException | RuntimeException e) {
            refuse(from, frame, "The message makes no sense: " + e.getMessage());
        }
    }

    private void take(Address from, Frame frame) throws IOException {
        if (frame.kind() == Kind.ANSWER || frame.kind() == Kind.REFUSAL) {
            Call call = open.get(frame.call());
            if (call != null && call.to().equals(from)) {
                answered(call, frame);
            }
            return;
        }
        Members now = members;
        if (!now.name().equals(frame.view()) || !now.addresses().contains(from)) {
            refuse(from, frame, "It is in another view.");
            return;
        }
        DataInputStream in = Frame.in(frame.body());
        switch (frame.kind()) {
            case Kind.SAVE -> {
                holdAll(in);
                answer(from, frame, Frame.EMPTY);
            }
            case Kind.CONFIRM -> answer(from, frame, Frame.EMPTY);
            case Kind.FLOOR -> floors.merge(from, in.readLong(), Math::max);
            case Kind.EVICT -> evictHere(in.readLong());
            case Kind.STATE -> submit(() -> sendState(from, frame));
            case Kind.STATE_PART -> holdAll(in);
            default -> {
                if (!Kind.isOfKeeper(frame.kind())) {
                    throw new IOException("kind " + frame.kind());
                }
                handled(frame.kind(), frame.body()).whenComplete((body, failure) -> {
                    if (failure == null) {
                        answer(from, frame, body);
                    } else {
                        refuse(from, frame, (failure instanceof CompletionException ? failure.getCause() : failure).getMessage());
                    }
                });
            }
        }
    }

    private void holdAll(DataInputStream in) throws IOException {
        for (int versions = in.readInt(); versions > 0; versions--) {
            copy.save(Codec.readKey(in), Codec.readVersion(in));
        }
    }

    private static void answered(Call call, Frame frame) {
        if (frame.kind() == Kind.ANSWER) {
            call.answer().complete(frame.body());
        } else {
            call.answer().completeExceptionally(new StoreException(new String(frame.body(), StandardCharsets.UTF_8)));
        }
    }

    private CompletableFuture<byte[]> handled(byte kind, byte[] body) {
        try {
            return service.handle(kind, Frame.in(body));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(new StoreException(e.getMessage() == null ? "The request makes no sense." : e.getMessage(), e));
        }
    }

    private void answer(Address to, Frame request, byte[] body) {
        reply(to, request, Kind.ANSWER, body);
    }

    private void refuse(Address to, Frame request, String why) {
        reply(to, request, Kind.REFUSAL, String.valueOf(why).getBytes(StandardCharsets.UTF_8));
    }

    private void reply(Address to, Frame request, byte kind, byte[] body) {
        if (request.call() != 0 && !closed) {
            try {
                transmit(to, new Frame(kind, request.call(), request.view(), body));
            } catch (StoreException e) {
                LOG.debug("No answer to {}: {}", to, e.getMessage());
            }
        }
    }

    /** All versions, in parts, and then the answer, which JGroups delivers after them. */
    private void sendState(Address to, Frame request) {
        inParts(copy.state().entrySet().stream().flatMap(entry -> entry.getValue().stream().map(version -> encoded(entry.getKey(), version))).iterator(),
                part -> transmit(to, new Frame(Kind.STATE_PART, 0, request.view(), part)));
        answer(to, request, Frame.EMPTY);
    }

    @Override
    public void close() {
        closed = true;
        channel.close();
        work.shutdownNow();
    }
}
