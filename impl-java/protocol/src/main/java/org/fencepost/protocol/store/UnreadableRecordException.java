package org.fencepost.protocol.store;

/**
 * What the store holds for a key makes no sense, so nobody can say what is committed there. Other keys are not concerned. Trying
 * again does not help: somebody has to repair it.
 */
public class UnreadableRecordException extends StoreException {

    public UnreadableRecordException(String message) {
        super(message);
    }
}
