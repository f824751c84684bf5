package org.fencepost.tm.wire;

/** The peer broke a rule of {@link Wire} or a limit; its connection is to be closed. The message names the rule. */
public final class BadFrameException extends Exception {

    public BadFrameException(String message) {
        super(message, null, false, false);
    }
}
