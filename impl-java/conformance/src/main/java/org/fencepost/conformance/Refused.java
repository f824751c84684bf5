package org.fencepost.conformance;

/** The code does not take a step. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    Refused(String what) {
        super(what, null, false, false);
    }
}
