package org.fencepost.audit.text;

/** A mistake of the caller (missing folder, unknown name, wrong tool); the message is one sentence that says what to do. */
public final class AuditException extends RuntimeException {
    public AuditException(String message) {
        super(message);
    }
}
