package org.fencepost.clustertest.verdict;

import java.util.List;

/**
 * What was found out: that all is well, that it is not, or nothing.
 *
 * @param reasons a sentence each; why it is so
 */
public record Verdict(Kind kind, List<String> reasons) {

    /** From the best to the worst. */
    public enum Kind {
        VALID(0), UNKNOWN(4), INVALID(1);

        /** Of the command. */
        public final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** As Jepsen has it. */
        public Object json() {
            return this == UNKNOWN ? "unknown" : (Object) (this == VALID);
        }
    }

    static Verdict valid(String reason) {
        return new Verdict(Kind.VALID, List.of(reason));
    }

    public static Verdict unknown(String reason) {
        return new Verdict(Kind.UNKNOWN, List.of(reason));
    }

    static Verdict invalid(String reason) {
        return new Verdict(Kind.INVALID, List.of(reason));
    }

    /** The reasons show that it is not well; none: it is. */
    public static Verdict invalidFor(List<String> reasons, String otherwise) {
        return reasons.isEmpty() ? valid(otherwise) : new Verdict(Kind.INVALID, reasons);
    }

    /** The reasons show that nothing was found out; none: all is well. */
    public static Verdict unknownFor(List<String> reasons, String otherwise) {
        return reasons.isEmpty() ? valid(otherwise) : new Verdict(Kind.UNKNOWN, reasons);
    }
}
