package org.fencepost.simulation.world;

/** The actor is gone in the middle of a call. Nothing of the protocol catches this. */
public final class Death extends Error {

    private static final long serialVersionUID = 1;

    public Death() {
        super(null, null, false, false);
    }
}
