package org.fencepost.conformance;

/** The code does not do what the specification says. */
final class Difference extends RuntimeException {

    private static final long serialVersionUID = 1;

    Difference(String what) {
        super(what, null, false, false);
    }
}
