package org.fencepost.protocol.fastpath;

/** Why a fast-path write was rejected. Each cause completes the sentence "The fast-path write of ... was rejected: ...". */
public enum FastAbortCause {

    /** VLDB'18 Alg. 4, line 12. */
    TENTATIVE_VERSION("a regular transaction has written the key and may commit; try again, or as a regular transaction"),
    /** VLDB'18 Alg. 4, line 13. */
    VERSION_MOVED("the key was written after it had been read; read it again"),
    /** VLDB'18 section 4.2: wrap-around of the sequence number. */
    SEQUENCE_EXHAUSTED("its region server has no version left before the transaction manager's next timestamp; try again"),
    /** VLDB'18 section 4.3: the region was opened, and the transaction manager has not answered since. */
    CLOCK_NOT_BOOTSTRAPPED("its region server has not heard from the transaction manager since it opened the region; check"
            + " that the transaction manager is up and that region servers can reach it");

    private final String sentence;

    FastAbortCause(String sentence) {
        this.sentence = sentence;
    }

    /** In words. */
    public String sentence() {
        return sentence;
    }
}
