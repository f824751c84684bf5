package org.fencepost.conformance.fastpath;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.fastpath.OnePhaseServers.Beside;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.simulation.world.Carriers;

/**
 * Commits in one phase, and puts beside the certification, with what {@link FastReplay} has. A batch is a puppet of its own, which its client
 * waits for or has given up; and so is the request to certify what is being put. What is taken together or apart:
 * <ul>
 * <li>The client that goes the long way after a refusal waits with its puts, and then with its second request: silent until they are taken.
 * <li>A client that is refused while its puts are under way hears of it when these are answered; here they are lost.
 * <li>That a clock has passed its commit timestamp a client notices when all is answered: silent.
 * </ul>
 */
public final class OnePhaseReplay extends FastReplay {

    private static final Set<String> ACTIONS = Set.of("BufferWrite", "CommitBlindly", "RequestCommit", "PutBeside", "KeepTimestamp", "AcceptBatch",
            "RefuseBatch", "StoreBatch", "LoseBatchAnswer", "ResolveBatch", "LateBatch", "LosePut", "RetryPut", "RefusePut", "AwaitInFlight");

    private final OnePhaseServers batchServers;
    /** The commit timestamps that batches have. */
    private final Map<String, Long> batchTs = new HashMap<>();
    private final Set<String> unanswered = new HashSet<>();
    private final Set<String> lateBatches = new HashSet<>();

    public OnePhaseReplay(State initial, Carriers carriers) {
        super(initial, carriers, OnePhaseServers::new);
        this.batchServers = (OnePhaseServers) servers;
    }

    @Override
    public Collection<Puppet> puppets() {
        Collection<Puppet> all = super.puppets();
        batchServers.besides().forEach(beside -> all.addAll(List.of(beside.batch, beside.certifier)));
        return all;
    }

    // ---- what a step is

    /** What the short way adds is told by its label, the rest as for the fast path. */
    public static Step step(State from, State to, String label) {
        if (!ACTIONS.contains(label) || label.equals("RefusePut")) {
            return FastReplay.step(from, to, label);
        }
        String txn = null;
        String key = null;
        String content = null;
        switch (label) {
            case "LateBatch" -> txn = Values.text(Values.gained(to.get("lateBatches"), from.get("lateBatches")));
            case "LosePut" -> {
                TlaValue put = Values.gained(from.get("latePuts"), to.get("latePuts"));
                key = Values.text(((TlaValue.Tuple) put).items().get(0));
                txn = Values.text(((TlaValue.Tuple) put).items().get(1));
            }
            case "RetryPut" -> {
                txn = Step.firstChange(from, to, "unanswered");
                key = Values.text(Values.gained(Values.at(to.get("unanswered"), txn), Values.at(from.get("unanswered"), txn)));
            }
            case "AwaitInFlight" -> {
                txn = Step.firstChange(from, to, "gate");
                key = Values.text(Values.field(Values.at(to.get("gate"), txn), "key"));
            }
            case "BufferWrite" -> {
                txn = Step.firstChange(from, to, "writes");
                key = Values.text(Values.gained(Values.at(from.get("writes"), txn), Values.at(to.get("writes"), txn)));
                content = Values.has(Values.at(to.get("deletes"), txn), Values.name(key)) ? "tombstone" : "value";
            }
            default -> txn = Step.firstChange(from, to, "way", "status", "commitTs");
        }
        return new Step(label, null, txn, key, content, from, to);
    }

    // ---- steps

    @Override
    public void take(Step step) {
        Client client = clients.get(step.txn());
        Beside beside = client == null ? null : batchServers.beside(client.name());
        switch (step.action()) {
            case "BufferWrite" -> client.buffer(step.key(), step.content().equals("tombstone"));
            case "CommitBlindly" -> commitBlindly(client, step.to());
            case "RequestCommit" -> requestCommit(client, beside);
            case "PutBeside" -> {
                batchServers.severalRegions = true;
                client.commit();
                scheduler.pause(2); // the certifier gets its errand first
                batchServers.severalRegions = false;
                require(client, Kind.PUT);
            }
            case "KeepTimestamp" -> {
                carryOut(client, Kind.COMMIT_ANSWER);
                require(client, Kind.CHECK_AND_MUTATE);
            }
            case "AcceptBatch" -> {
                awaitBatch(client);
                beside.batch.arrive();
                require(beside.batch, Kind.STORE_BATCH);
            }
            case "RefuseBatch" -> {
                awaitBatch(client);
                beside.batch.arrive();
                if (beside.batch.isHeld()) {
                    throw new Refused(beside.batch + " is accepted");
                }
                carryOut(client, Kind.PUT_BATCH);
                require(client, Kind.PUT);
            }
            case "StoreBatch" -> {
                carryOut(beside.batch, Kind.STORE_BATCH);
                if (client.isAt(Kind.PUT_BATCH)) {
                    carryOut(client, Kind.PUT_BATCH);
                }
            }
            case "LoseBatchAnswer" -> {
                awaitBatch(client);
                client.lose();
                require(client, Kind.FIND_BATCH);
                unanswered.add(client.name());
                lateBatches.add(client.name());
            }
            case "LateBatch" -> {
                beside.batch.arrive();
                lateBatches.remove(client.name());
            }
            case "ResolveBatch" -> {
                carryOut(client, Kind.FIND_BATCH);
                unanswered.remove(client.name());
            }
            case "LosePut" -> sendTwice(client, step.key());
            case "RetryPut" -> {
                if (client.isAt(Kind.PUT)) {
                    put(client, step.key());
                } else {
                    super.take(step);
                }
            }
            case "RefusePut" -> {
                if (client.isAt(Kind.PUT)) {
                    carryOut(client, Kind.PUT, client.call().key());
                    carryOut(client, Kind.END);
                } else {
                    super.take(step);
                }
            }
            case "AwaitInFlight" -> super.take(new Step("AwaitFastWrites", null, step.txn(), step.key(), null, step.from(), step.to()));
            default -> super.take(step);
        }
    }

    private void commitBlindly(Client client, State to) {
        Map<String, Boolean> writes = new LinkedHashMap<>();
        Values.items(Values.at(to.get("writes"), client.name()))
                .forEach(key -> writes.put(Values.text(key), Values.has(Values.at(to.get("deletes"), client.name()), key)));
        client.precedes = answeredCommits();
        client.commitBlindly(writes);
        carryOut(client, Kind.COMMIT);
        require(client, Kind.PUT_BATCH);
        batchTs.put(client.name(), client.version());
    }

    private static void awaitBatch(Client client) {
        deliverCommitAnswer(client);
        require(client, Kind.PUT_BATCH);
    }

    private void requestCommit(Client client, Beside beside) {
        if (beside.certifier.isAt(Kind.COMMIT)) {
            certifyBeside(client, beside.certifier);
            return;
        }
        boolean buffered = way(client).equals("buffer");
        if (client.call() == null) {
            client.commit();
        }
        deliverCommitAnswer(client); // of the request before, which a clock has passed
        carryOut(client, Kind.COMMIT);
        if (client.isAt(Kind.COMMIT_ANSWER)) {
            client.commitTs = client.call().version;
            if (buffered) {
                batchTs.put(client.name(), client.commitTs);
            }
        }
    }

    private static void certifyBeside(Client client, Puppet certifier) {
        carryOut(certifier, Kind.COMMIT);
        if (certifier.isAt(Kind.COMMIT_ANSWER)) {
            client.commitTs = certifier.call().version;
            carryOut(certifier, Kind.COMMIT_ANSWER);
        } else if (client.isAt(Kind.PUT)) {
            client.lose();
            carryOut(client, Kind.END);
        } else {
            carryOut(client, Kind.COMMIT_ANSWER);
        }
    }

    /** What is being stored is lost with its region, and its client hears of that. */
    @Override
    void open(String key, String server) {
        super.open(key, server);
        clients.values().forEach(client -> {
            Batch batch = batchServers.beside(client.name()).batch;
            if (batch.isHeld() && batch.keys().contains(key)) {
                batch.lose();
                if (client.isAt(Kind.PUT_BATCH)) {
                    client.lose();
                }
            }
        });
    }

    // ---- the code's state

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "way" -> ofTxn(client -> Values.string(way(client)), Values.string("none"));
            case "batchTs" -> ofTxn(client -> servers.inSpec(batchTs(client)), Values.number(0));
            case "lateBatches" -> Values.names(lateBatches.stream());
            case "rowClock" -> Values.function(keys, key -> servers.inSpec(servers.region(key).batches().rowClock(key)));
            case "collected" -> Values.function(keys, key -> servers.inSpec(servers.region(key).batches().collected()));
            case "status" -> regular(super.value(variable), client -> Values.string(status(client) + unexpected(client)));
            case "commitTs" -> regular(super.value(variable), client -> servers.inSpec(commitTs(client)));
            case "unanswered" -> regular(super.value(variable), client -> Set.of("none", "long", "beside", "doubted").contains(way(client))
                    ? Values.at(super.value(variable), client.name()) : Values.names(Stream.empty()));
            case "committed" -> Values.set(Stream.concat(Values.items(super.value(variable)).stream(), clients.keySet().stream()
                    .filter(name -> batchServers.beside(name).batch.isStored()).map(Values::name)));
            default -> super.value(variable);
        };
    }

    private TlaValue ofTxn(Function<Client, TlaValue> regular, TlaValue otherwise) {
        return Values.function(names(), name -> clients.containsKey(name) ? regular.apply(clients.get(name)) : otherwise);
    }

    /** A function on all, with what the regular ones have in another way here. */
    private TlaValue regular(TlaValue all, Function<Client, TlaValue> regular) {
        return Values.function(names(), name -> clients.containsKey(name) ? regular.apply(clients.get(name)) : Values.at(all, name));
    }

    private String way(Client client) {
        if (client.tx == null || client.tx.writeSet().isEmpty()) {
            return "none";
        }
        Beside beside = batchServers.beside(client.name());
        if (client.tx.wasRefused() || client.tx.wasPassed() || client.commitTs != Timestamps.NIL && beside.told > client.commitTs) {
            return "long";
        }
        if (client.commitTs == Timestamps.NIL && beside.told == Long.MAX_VALUE) {
            return "doubted";
        }
        return beside.batch.isHeld() ? "held" : beside.batch.isStored() ? "stored" : beside.batch.isLost() ? "lost"
                : batchTs.containsKey(client.name()) ? "ready" : isBuffered(client) ? "buffer" : beside.asked ? "beside" : "none";
    }

    /** What the client has sent; before, what it was given. */
    private long batchTs(Client client) {
        long sent = batchServers.beside(client.name()).batch.commitTs();
        return sent != Timestamps.NIL ? sent : batchTs.getOrDefault(client.name(), Timestamps.NIL);
    }

    /** Whoever knows that it is certified must not know another one than the manager gave. */
    private static long commitTs(Client client) {
        if (client.tx == null) {
            return Timestamps.NIL;
        }
        boolean knows = client.status() == TransactionStatus.CERTIFIED || client.status() == TransactionStatus.COMMITTED;
        return knows ? client.tx.commitTs() : Math.max(client.commitTs, client.tx.commitTs());
    }

    private static boolean isBuffered(Client client) {
        return client.tx.writeSet().stream().noneMatch(client.tx::isSent);
    }

    private String status(Client client) {
        if (client.tx == null) {
            return "idle";
        }
        if (client.isDead() && client.status().compareTo(TransactionStatus.COMMITTED) < 0) {
            return "dead";
        }
        return switch (client.status()) {
            case ACTIVE -> "active";
            case REQUESTING -> batchServers.beside(client.name()).asked && !client.tx.wasPassed() || client.isAt(Kind.COMMIT) ? "active" : "certified";
            case CERTIFIED -> client.entryUnanswered || unanswered.contains(client.name()) ? "unknown" : "certified";
            case COMMITTED -> client.isClosed() ? "closed" : "committed";
            case ABORTED -> "aborted";
            case UNKNOWN -> "unresolved";
        };
    }

    /** A request that a client in this state should not have. */
    private String unexpected(Client client) {
        if (client.call() == null || client.reading != null) {
            return "";
        }
        Set<Kind> expected = switch (status(client)) {
            case "active" -> EnumSet.of(Kind.PUT, Kind.COMMIT, Kind.COMMIT_ANSWER);
            case "certified" -> EnumSet.of(Kind.COMMIT_ANSWER, Kind.CHECK_AND_MUTATE, Kind.PUT_BATCH, Kind.FIND_BATCH);
            case "unknown" -> EnumSet.of(Kind.CHECK_AND_MUTATE, Kind.FIND_BATCH);
            case "committed" -> EnumSet.of(Kind.PUT_COMMIT_CELLS, Kind.REMOVE_ENTRY);
            case "aborted" -> EnumSet.of(Kind.REMOVE);
            default -> EnumSet.noneOf(Kind.class);
        };
        return expected.contains(client.call().kind) ? "" : ", with " + client.call();
    }
}
