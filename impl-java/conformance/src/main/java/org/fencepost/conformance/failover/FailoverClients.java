package org.fencepost.conformance.failover;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;

/** Clients of transaction managers, and the answers on their way to them: what they were told, in the specification's timestamps. */
final class FailoverClients {

    private static final class Client {
        private String status = "idle";
        private String waiting = "none";
        private long readTs;
        private long commitTs;
        private Set<String> writes = Set.of();
    }

    private record Answer(String kind, String txn, long ts) {
    }

    private final Map<String, Client> clients = new LinkedHashMap<>();
    private final Set<Answer> answers = new LinkedHashSet<>();

    FailoverClients(Collection<String> txns) {
        txns.forEach(txn -> clients.put(txn, new Client()));
    }

    /** Throws {@link Refused} if it receives what nobody has sent. */
    void take(Step step) {
        Client client = clients.get(step.txn());
        switch (step.action()) {
            case "AskBegin" -> client.waiting = "begin";
            case "ReceiveBegin" -> {
                client.readTs = to(step, "readTs");
                receive(step.txn(), client, client.readTs, "active");
            }
            case "AskCommit" -> {
                client.writes = Values.items(Values.at(step.to().get("writes"), step.txn())).stream().map(Values::text)
                        .collect(Collectors.toSet());
                client.waiting = "commit";
            }
            case "ReceiveCommit" -> {
                client.commitTs = to(step, "commitTs");
                receive(step.txn(), client, client.commitTs, client.commitTs == 0 ? "aborted" : "certified");
            }
            case "WriteCommitEntry" -> client.status = "committed";
            case "LoseCommitAnswer" -> {
                drop(step.txn(), "commit");
                client.status = "aborted";
                client.waiting = "none";
            }
            default -> throw new Refused("the code has no action " + step.action());
        }
    }

    private static long to(Step step, String variable) {
        return Values.number(Values.at(step.to().get(variable), step.txn()));
    }

    private void receive(String txn, Client client, long ts, String status) {
        if (!answers.contains(new Answer(client.waiting, txn, ts))) {
            throw new Refused("no answer " + ts + " was sent to " + txn);
        }
        drop(txn, client.waiting);
        client.status = status;
        client.waiting = "none";
    }

    private void drop(String txn, String kind) {
        answers.removeIf(a -> a.txn().equals(txn) && a.kind().equals(kind));
    }

    // ---- what a transaction manager has to do with

    String waitsFor(String txn) {
        return clients.get(txn).waiting;
    }

    long readTs(String txn) {
        return clients.get(txn).readTs;
    }

    Set<String> writes(String txn) {
        return clients.get(txn).writes;
    }

    /** An answer leaves; it is lost on a client who waits for it no more. */
    void answer(String kind, String txn, long ts) {
        if (clients.get(txn).waiting.equals(kind)) {
            answers.add(new Answer(kind, txn, ts));
        }
    }

    TlaValue value(String variable) {
        return switch (variable) {
            case "status" -> ofTxn(c -> Values.string(c.status));
            case "waiting" -> ofTxn(c -> Values.string(c.waiting));
            case "readTs" -> ofTxn(c -> Values.number(c.readTs));
            case "commitTs" -> ofTxn(c -> Values.number(c.commitTs));
            case "writes" -> ofTxn(c -> Values.names(c.writes.stream()));
            case "answers" -> Values.set(answers.stream().map(a -> Values.record("kind", Values.string(a.kind()), "txn",
                    Values.name(a.txn()), "ts", Values.number(a.ts()))));
            default -> Values.string("no variable of the code");
        };
    }

    private TlaValue ofTxn(Function<Client, TlaValue> value) {
        return Values.function(clients.keySet(), txn -> value.apply(clients.get(txn)));
    }
}
