package org.fencepost.tm.server;

import java.util.Locale;
import org.fencepost.tm.wire.Wire;

/**
 * What a client may ask for, as a set of {@link Wire}'s requests. Roles add up: a subject that is listed with two of them may do
 * what either allows.
 */
enum Role {

    /** Runs transactions, Mediator's too. */
    CLIENT(Wire.HEALTH, Wire.BEGIN, Wire.COMMIT, Wire.COMMIT_AGAIN, Wire.COMMIT_BLINDLY, Wire.RENEW, Wire.END, Wire.TX_BEGIN, Wire.TX_TRY_COMMIT, Wire.TSO_ABORT, Wire.TX_COMMIT, Wire.APPEND),
    /** Asks for the time, for the fast path and Mediator, how far a watermark may be raised, and who is pending. */
    REGION_SERVER(Wire.HEALTH, Wire.BEGIN, Wire.END, Wire.WATERMARK, Wire.PENDING),
    /** Everything: also the watermark, below which is collected, and fences, which abort others' transactions. */
    OPERATOR();

    /** The rights of everybody, where nobody is authorised. */
    static final long ALL = -1;

    private final long rights;

    /** Requests have types below 64; none: all of them. */
    Role(byte... requests) {
        long set = requests.length == 0 ? ALL : 0;
        for (byte type : requests) {
            set |= 1L << type;
        }
        this.rights = set;
    }

    long rights() {
        return rights;
    }

    /** The reverse of {@link #text}; null if there is none of this name. */
    static Role of(String text) {
        for (Role role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        return null;
    }

    /** As in the file. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
