package org.fencepost.simulation.world;

/** A run does not come to an end, or leaves something behind for ever. */
public final class DeadEndException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public DeadEndException(String message) {
        super(message);
    }
}
