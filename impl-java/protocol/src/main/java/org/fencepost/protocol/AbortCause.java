package org.fencepost.protocol;

/** Why a transaction did not commit. Each cause completes the sentence "Transaction n was aborted: ...". */
public enum AbortCause {

    CONFLICT("a concurrent transaction committed a write of the same key first; run it again"),
    FENCED("a fence was put on a table that it wrote, after it had begun; run it again"),
    BELOW_WATERMARK("it is older than the transaction manager's memory of conflicts; run it again"),
    REFUSED("a newer version of one of its keys was committed, on the fast path as a rule, before its write arrived; run it again"),
    INVALIDATED("a reader met its writes before it had committed; run it again"),
    COLLECTED("it was idle for so long that its commit entry may no longer be written, or, in a table with leaders, a server that died had not stored its write; run it again"),
    EXPIRED("it lived longer than its lifetime, so its snapshot may be gone; run it again, faster or with a longer lifetime"),
    MANAGER_UNREACHABLE("the transaction manager did not answer its commit request; run it again"),
    STORE_UNREACHABLE("the store did not take its writes after it had asked to commit; run it again"),
    UNREADABLE("what it wanted to read is committed and not written back yet; run it again"),
    NATIVE_CONFLICT("a key was written in the meantime, natively as a rule; run it again"),
    UNCHECKED("a database server did not answer its check for conflicts; run it again"),
    SETTLED("it took so long to reach the log that it was taken for dead; run it again"),
    ROLLED_BACK("it was rolled back");

    private final String sentence;

    AbortCause(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
