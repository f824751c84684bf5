package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Op;

/**
 * Transfers between accounts, and reads of all of them, whose total must always be the same. In Jepsen's format: {@code :transfer} with from, to
 * and amount, {@code :read} with the balances by account.
 */
public final class Bank implements Workload {

    public static final String OPEN = "open";
    public static final String TRANSFER = "transfer";
    static final String READ = "read";
    public static final long ACCOUNTS = 8;
    private static final long EACH = 10;
    private static final int MOST = 5;
    private static final Map<String, Object> REGULAR = Map.of(Op.PATH, Op.REGULAR);

    @Override
    public List<Invocation> first() {
        Map<Long, Object> balances = new LinkedHashMap<>();
        for (long account = 0; account < ACCOUNTS; account++) {
            balances.put(account, EACH);
        }
        return List.of(new Invocation(OPEN, balances, REGULAR));
    }

    @Override
    public Invocation next(SplittableRandom random) {
        if (random.nextBoolean()) {
            return new Invocation(READ, null, REGULAR);
        }
        long from = random.nextLong(ACCOUNTS);
        long to = (from + 1 + random.nextLong(ACCOUNTS - 1)) % ACCOUNTS;
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("from", from);
        value.put("to", to);
        value.put("amount", 1L + random.nextInt(MOST));
        return new Invocation(TRANSFER, value, REGULAR);
    }

    @Override
    public List<Invocation> last() {
        return List.of(new Invocation(READ, null, REGULAR));
    }

    @Override
    public List<String> violations(List<Op> history) {
        List<String> violations = new ArrayList<>();
        for (Op op : history) {
            if (op.type() == Op.Type.ok && op.f().equals(READ) && op.value() instanceof Map<?, ?> balances) {
                long total = balances.values().stream().mapToLong(balance -> balance instanceof Long number ? number : 0).sum();
                if (total != ACCOUNTS * EACH || balances.size() != ACCOUNTS || balances.containsValue(null)) {
                    violations.add("Operation " + op.index() + " found " + balances + ", " + total + " in all, not " + ACCOUNTS * EACH + ".");
                }
                if (balances.values().stream().anyMatch(balance -> balance instanceof Long number && number < 0)) {
                    violations.add("Operation " + op.index() + " found an account overdrawn: " + balances + ".");
                }
            }
        }
        return violations;
    }

    @Override
    public Map<String, Integer> asks() {
        return Map.of(Paths.COMMIT, 100, Paths.abort("CONFLICT"), 10, Paths.INVALIDATION, 5);
    }
}
