package org.fencepost.simulation;

/** The actor is gone in the middle of a call. Nothing of the protocol catches this. */
final class Death extends Error {

    private static final long serialVersionUID = 1;

    Death() {
        super(null, null, false, false);
    }
}
