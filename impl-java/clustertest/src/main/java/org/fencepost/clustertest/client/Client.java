package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Bank;
import org.fencepost.clustertest.workload.ManagerTime;
import org.fencepost.clustertest.workload.MortalLog;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Ranges;
import org.fencepost.hbase.client.FastOutcomeUnknownException;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;

/**
 * Carries out invocations by a system's client library, on {@link Cells}.
 *
 * <p>An operation fails where it certainly has no effect: no transaction began, it was aborted, its writes were refused or never asked to be committed. Where
 * the answer to a commit or to a fast-path write was lost, it is info. Each request has the library's timeout, so every operation ends.
 */
public final class Client {

    /**
     * The ways to the data.
     *
     * @param begin   of the transaction of an invocation
     * @param time    a timestamp of the transaction manager's
     * @param fast    null where the table has no fast path
     * @param natives null where nobody may put and get natively
     * @param log     null where nobody dies in the middle of a commit
     * @param build   of an index; tells from when on it is ready
     */
    record Ways(Function<Op, Tx> begin, LongSupplier time, FastTable fast, NativeTable natives, MortalLog log, LongSupplier build) {
    }

    private final Ways ways;
    private final boolean lists;
    private final Paths paths;

    /** @param lists whether what is read with micro-operations are lists */
    Client(Ways ways, boolean lists, Paths paths) {
        this.ways = ways;
        this.lists = lists;
        this.paths = paths;
    }

    /** Of a system that has regular transactions only. */
    public static Client ofRegular(Supplier<Tx> begin, LongSupplier time, boolean lists, Paths paths) {
        return new Client(new Ways(invoked -> begin.get(), time, null, null, null, null), lists, paths);
    }

    /** What became of it: type, value, and more. */
    public record Completion(Op.Type type, Object value, Map<String, Object> more) {
    }

    /** An operation under way: what it has read and written so far, and its timestamps. */
    private static final class Progress {

        private final Map<String, Object> more = new LinkedHashMap<>();
        private final List<List<Object>> tagged = new ArrayList<>();
        /** Null before it has begun, and where there is none. */
        private Tx tx;

        Progress(Op invoked) {
            if (invoked.more().containsKey(Op.PATH)) {
                more.put(Op.PATH, invoked.more().get(Op.PATH));
                more.put(Op.TXN, tagged);
            }
        }

        void tag(String kind, Object key, Object tag) {
            List<Object> micro = new ArrayList<>(List.of(kind, key));
            micro.add(tag);
            tagged.add(micro);
        }

        boolean has(String... kinds) {
            return tagged.stream().anyMatch(micro -> List.of(kinds).contains(micro.get(0)));
        }

        void begun(Tx begun) {
            tx = begun;
            noteStart();
        }

        /** A blind one has none before it commits. */
        private void noteStart() {
            if (tx != null && tx.startTimestamp() != 0) {
                more.put(Op.START, tx.startTimestamp());
            }
        }

        void noteCommit() {
            if (tx != null && tx.commitTimestamp() != 0) {
                more.put(Op.COMMIT, tx.commitTimestamp());
            }
        }

        Completion end(Op.Type type, Object value) {
            noteStart();
            return new Completion(type, value, more);
        }

        /** Where the session has broken, its process ends: an operation that had no effect is info for that. */
        Completion end(Op.Type type, Op invoked, String error) {
            noteStart();
            more.put(Op.ERROR, error);
            boolean broken = tx != null && tx.isBroken();
            if (broken && type == Op.Type.fail) {
                more.put(Op.RESOLVED, "ABORTED");
            }
            return new Completion(broken ? Op.Type.info : type, invoked.value(), more);
        }
    }

    public Completion perform(Op invoked) {
        Progress progress = new Progress(invoked);
        try {
            if (invoked.f().equals(ManagerTime.TS)) {
                long ts = ways.time().getAsLong();
                paths.count(Paths.TIMESTAMP);
                return progress.end(Op.Type.ok, ts);
            }
            if (invoked.f().equals(Ranges.BUILD)) {
                long readyFrom = ways.build().getAsLong();
                paths.count(Paths.BUILD);
                return progress.end(Op.Type.ok, readyFrom);
            }
            return invoked.isNative() ? natively(invoked, progress) : invoked.isFast() ? fast(invoked, progress) : regular(invoked, progress);
        } catch (TransactionAbortedException e) {
            paths.count(Paths.abort(e.abortCause().name()));
            return progress.end(Op.Type.fail, invoked, e.abortCause().name());
        } catch (FastPathAbortedException e) {
            paths.count(Paths.fastAbort(e.abortCause().name()));
            return progress.end(Op.Type.fail, invoked, e.abortCause().name());
        } catch (OutcomeUnknownException e) {
            paths.count(Paths.UNKNOWN);
            progress.more.put(Op.COMMIT, e.possibleCommitTs());
            return progress.end(Op.Type.info, invoked, e.getMessage());
        } catch (FastOutcomeUnknownException e) {
            paths.count(Paths.UNKNOWN);
            return progress.end(Op.Type.info, invoked, e.getMessage());
        } catch (StoreException | TransactionManagerException e) {
            return progress.end(Op.Type.fail, invoked, e.getMessage());
        } catch (RuntimeException e) { // unforeseen: whatever it did, it may have done, and where it has committed others may have read it
            progress.noteCommit();
            return progress.end(Op.Type.info, invoked, e.toString());
        }
    }

    // ---- regular transactions

    private Completion regular(Op invoked, Progress progress) {
        try (Tx tx = ways.begin().apply(invoked)) {
            progress.begun(tx);
            Object value = switch (invoked.f()) {
                case Bank.OPEN -> open(tx, invoked, progress);
                case Bank.TRANSFER -> transfer(tx, invoked, progress);
                default -> invoked.value() == null ? balances(tx, progress) : micro(tx, invoked, progress);
            };
            pause(invoked.number(Op.THINK));
            if (invoked.more().get(Op.FATE) instanceof String fate) {
                ways.log().meeting(fate, tx::commit);
            } else {
                tx.commit();
            }
            progress.noteCommit();
            paths.count(!progress.has("w", "put", "delete") ? Paths.READ_ONLY : ways.natives() != null && progress.tagged.size() == 1 ? Paths.PUT_TRANSACTION : Paths.COMMIT);
            return progress.end(Op.Type.ok, value);
        }
    }

    private static void pause(long millis) {
        if (millis > 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Reads that follow one another go out together. */
    private Object micro(Tx tx, Op invoked, Progress progress) {
        List<List<Object>> micro = invoked.micro();
        List<Object> done = new ArrayList<>();
        for (int i = 0; i < micro.size();) {
            if (micro.get(i).get(0).equals("r")) {
                boolean lingers = i == 0 && invoked.number(Op.LINGER) > 0;
                int end = i + 1;
                while (!lingers && end < micro.size() && micro.get(end).get(0).equals("r")) {
                    end++;
                }
                readAll(tx, micro.subList(i, end), progress, done);
                pause(lingers ? invoked.number(Op.LINGER) : 0);
                i = end;
            } else if (tx instanceof RangeTx ranges) {
                List<Object> found = RangeCells.perform(ranges, micro.get(i++));
                done.add(found);
                progress.tagged.add(found);
            } else {
                write(tx, micro.get(i), progress);
                done.add(micro.get(i++));
            }
        }
        return done;
    }

    private void readAll(Tx tx, List<List<Object>> reads, Progress progress, List<Object> done) {
        List<Result> rows = tx.get(reads.stream().map(read -> Cells.get(read.get(1))).toList());
        for (int i = 0; i < reads.size(); i++) {
            done.add(found(reads.get(i), Cells.text(rows.get(i)), lists, progress));
        }
    }

    private static List<Object> found(List<Object> read, String text, boolean lists, Progress progress) {
        progress.tag("r", read.get(1), Cells.tag(text));
        List<Object> micro = new ArrayList<>(read.subList(0, 2));
        micro.add(lists ? Cells.list(text) : Cells.tag(text));
        return micro;
    }

    private void write(Tx tx, List<Object> micro, Progress progress) {
        String text = micro.get(2).toString();
        if (micro.get(0).equals("append")) {
            String before = Cells.text(tx.get(Cells.get(micro.get(1))));
            progress.tag("r", micro.get(1), Cells.tag(before));
            text = before.isEmpty() ? text : before + " " + text;
        }
        tx.put(Cells.put(micro.get(1), text));
        progress.tag("w", micro.get(1), micro.get(2));
    }

    // ---- accounts

    private Object open(Tx tx, Op invoked, Progress progress) {
        ((Map<?, ?>) invoked.value()).forEach((account, balance) -> setBalance(tx, account, (Long) balance, progress));
        return invoked.value();
    }

    private Object balances(Tx tx, Progress progress) {
        List<Get> gets = new ArrayList<>();
        for (long account = 0; account < Bank.ACCOUNTS; account++) {
            gets.add(Cells.get(account));
        }
        Map<Object, Object> balances = new LinkedHashMap<>();
        List<Result> rows = tx.get(gets);
        for (long account = 0; account < rows.size(); account++) {
            balances.put(account, balance(Cells.text(rows.get((int) account)), account, progress));
        }
        return balances;
    }

    private static Long balance(String text, Object account, Progress progress) {
        progress.tag("r", account, Cells.tag(text));
        return text.isEmpty() ? null : Long.valueOf(text.substring(0, text.indexOf(' ')));
    }

    private void setBalance(Tx tx, Object account, long balance, Progress progress) {
        tx.put(Cells.put(account, balance + " " + tx.startTimestamp()));
        progress.tag("w", account, tx.startTimestamp());
    }

    /** Of what there is, if that is less. */
    private Object transfer(Tx tx, Op invoked, Progress progress) {
        Map<?, ?> asked = (Map<?, ?>) invoked.value();
        Map<Object, Long> balances = new HashMap<>();
        for (Object account : List.of(asked.get("from"), asked.get("to"))) {
            Long balance = balance(Cells.text(tx.get(Cells.get(account))), account, progress);
            balances.put(account, balance == null ? 0 : balance);
        }
        long amount = Math.min((Long) asked.get("amount"), balances.get(asked.get("from")));
        setBalance(tx, asked.get("from"), balances.get(asked.get("from")) - amount, progress);
        setBalance(tx, asked.get("to"), balances.get(asked.get("to")) + amount, progress);
        return invoked.value();
    }

    // ---- the fast path

    private Completion fast(Op invoked, Progress progress) {
        List<List<Object>> micro = invoked.micro();
        List<Object> last = micro.get(micro.size() - 1);
        Object key = last.get(1);
        if (last.get(0).equals("r")) {
            List<Object> done = found(last, Cells.text(ways.fast().read(Cells.get(key))), lists, progress);
            paths.count(Paths.FAST_READ);
            return progress.end(Op.Type.ok, List.of(done));
        }
        List<Object> done = new ArrayList<>();
        long version;
        if (micro.size() == 1 && last.get(0).equals("w")) {
            progress.tag("w", key, last.get(2));
            done.add(last);
            version = ways.fast().write(Cells.put(key, last.get(2).toString()));
        } else {
            version = ways.fast().readModifyWrite(Cells.get(key), row -> {
                String before = Cells.text(row);
                if (micro.size() == 1) {
                    progress.tag("r", key, Cells.tag(before));
                } else {
                    done.add(found(micro.get(0), before, lists, progress));
                }
                progress.tag("w", key, last.get(2));
                done.add(last);
                return Cells.put(key, last.get(0).equals("w") || before.isEmpty() ? last.get(2).toString() : before + " " + last.get(2));
            });
        }
        progress.more.put(Op.COMMIT, version);
        paths.count(Paths.FAST_COMMIT);
        return progress.end(Op.Type.ok, done);
    }

    // ---- native operations

    /** A put is not sent again: HBase would store it once more. */
    private Completion natively(Op invoked, Progress progress) {
        List<Object> micro = invoked.micro().get(0);
        boolean put = micro.get(0).equals("w");
        try {
            if (put) {
                progress.tag("w", micro.get(1), micro.get(2));
                ways.natives().put(Cells.put(micro.get(1), micro.get(2).toString()));
            }
            List<Object> done = put ? micro : found(micro, Cells.text(ways.natives().get(Cells.get(micro.get(1)))), lists, progress);
            paths.count(put ? Paths.NATIVE_PUT : Paths.NATIVE_GET);
            return progress.end(Op.Type.ok, List.of(done));
        } catch (IOException e) {
            return progress.end(put ? Op.Type.info : Op.Type.fail, invoked, String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
        }
    }
}
