package org.fencepost.tm;

/** The peer broke a rule of {@link Wire} or a limit; its connection is to be closed. The message names the rule. */
final class BadFrameException extends Exception {

    BadFrameException(String message) {
        super(message, null, false, false);
    }
}
