package org.fencepost.simulation.ph1;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.ph1.PH1Transaction;
import org.fencepost.protocol.ph1.Session;

/** What a user remembers of a transaction for the judge. */
final class Note {

    /** @param found null: nothing */
    record Read(String key, Long found) {
    }

    enum Told { NOTHING, COMMITTED, ABORTED, TOO_OLD }

    final PH1Transaction<String, Long> tx;
    final String instance;
    final Session session;
    /** Whose commit was answered in the session before. */
    final List<Note> before;
    /** Of others. */
    final List<Read> reads = new ArrayList<>();
    /** By key; null deletes it. */
    final Map<String, Long> values = new LinkedHashMap<>();
    /** How often a key was read, own writes included. */
    int looks;
    Told told = Told.NOTHING;
    /** Whether it lost a version for a reason. */
    boolean excused;
    /** A key whose cell was older than the commit when that was answered; null if there is none. */
    String missing;

    Note(PH1Transaction<String, Long> tx, String instance, Session session, List<Note> before) {
        this.tx = tx;
        this.instance = instance;
        this.session = session;
        this.before = before;
    }

    @Override
    public String toString() {
        return "[" + tx.readTs() + ", " + tx.commitTs() + "] writes " + values + " reads " + reads + " told " + told;
    }
}
