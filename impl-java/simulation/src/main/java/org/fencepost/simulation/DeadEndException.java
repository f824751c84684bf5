package org.fencepost.simulation;

/** A run does not come to an end, or leaves something behind for ever. */
final class DeadEndException extends RuntimeException {

    private static final long serialVersionUID = 1;

    DeadEndException(String message) {
        super(message);
    }
}
