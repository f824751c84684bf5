package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fencepost.protocol.history.ClientView.Read;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * Judges a small history client-centrically (Crooks et al., PODC'17; ReadStates in specs/Isolation.tla): is there an order
 * of the committed transactions, each turning the database's state into the next, such that each one's reads come from
 * one state before it, nobody in between wrote what it writes, and whoever was answered before it began is in that state?
 *
 * <p>Whether a transaction may come next depends only on those before it. So the order is built from the front, and given
 * up as soon as nobody fits. Exponential at worst: for up to about ten transactions.
 */
public final class ReadStatesChecker {

    private final ClientView view;
    private final List<Integer> order = new ArrayList<>();
    /** The longest beginning of an order that was found. */
    private List<Integer> longest = List.of();

    private ReadStatesChecker(ClientView view) {
        this.view = view;
    }

    /** No violation, or one. Its transactions are those that no order got past. */
    public static List<Violation> check(History history) {
        ClientView view = new ClientView(history);
        if (view.forgetful != null) {
            return List.of(new Violation(Axiom.ReadStates, "transaction " + view.forgetful.startTs()
                    + " did not read what it had written itself", List.of(view.forgetful)));
        }
        ReadStatesChecker checker = new ReadStatesChecker(view);
        return checker.extend() ? List.of() : List.of(checker.violation());
    }

    private boolean extend() {
        if (order.size() > longest.size()) {
            longest = List.copyOf(order);
        }
        if (order.size() == view.done.size()) {
            return true;
        }
        for (int t = 0; t < view.done.size(); t++) {
            if (!order.contains(t) && commitTest(t)) {
                order.add(t);
                if (extend()) {
                    return true;
                }
                order.remove(order.size() - 1);
            }
        }
        return false;
    }

    /** Whether some state that the order has produced so far is one that the transaction can have read. */
    private boolean commitTest(int t) {
        for (int state = order.size(); state >= 0; state--) {
            if (readsComeFrom(state, t) && order.subList(0, state).containsAll(view.precedes.get(t))) {
                return true;
            }
            if (state > 0 && !Collections.disjoint(view.writes.get(order.get(state - 1)), view.writes.get(t))) {
                return false; // an earlier state would have this conflicting writer in between
            }
        }
        return false;
    }

    private boolean readsComeFrom(int state, int t) {
        for (Read read : view.reads.get(t)) {
            if (read.from() != valueInState(state, read.key())) {
                return false;
            }
        }
        return true;
    }

    /** What a key holds in the state that the first so many transactions of the order produced. */
    private int valueInState(int state, Object key) {
        for (int i = state - 1; i >= 0; i--) {
            if (view.writes.get(order.get(i)).contains(key)) {
                return view.seen(order.get(i), key);
            }
        }
        return ClientView.NOTHING;
    }

    private Violation violation() {
        List<HistoryTransaction> stuck = new ArrayList<>(view.done);
        longest.forEach(t -> stuck.remove(view.done.get(t)));
        return new Violation(Axiom.ReadStates, "no order of the committed transactions explains what was read; the best one is "
                + longest.stream().map(t -> view.done.get(t).startTs()).toList() + " and then none of the rest fits", stuck);
    }
}
