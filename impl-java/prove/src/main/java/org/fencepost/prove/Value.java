package org.fencepost.prove;

import com.microsoft.z3.BoolExpr;
import com.microsoft.z3.Expr;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A TLA+ value as the prover sees it: terms at the leaves, and above them functions of Java, so that a set or a function needs no term of its
 * own and may have any number of elements.
 */
sealed interface Value {
    /** A number, a Boolean, a string, or an element of a constant set. */
    record Term(Expr<?> expr) implements Value {
    }

    /** @param at what it is at an element of its domain; what it is elsewhere says nothing */
    record Fun(Set domain, Function<Value, Value> at) implements Value {
    }

    record Rec(SortedMap<String, Value> fields) implements Value {
    }

    record Tup(List<Value> items) implements Value {
    }

    /** One way to take an element of a set: where the guard holds, the value is in the set. Together the ways reach every element. */
    record Pick(BoolExpr guard, Value value) {
    }

    /**
     * @param has whether a value is in the set
     * @param all whether something holds of all elements
     * @param picks the ways to take an element
     */
    record Set(Function<Value, BoolExpr> has, Function<Function<Value, BoolExpr>, BoolExpr> all, Supplier<List<Pick>> picks) implements Value {
    }
}
