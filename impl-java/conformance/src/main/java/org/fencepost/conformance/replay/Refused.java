package org.fencepost.conformance.replay;

/** The code does not take a step. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    public Refused(String what) {
        super(what, null, false, false);
    }
}
