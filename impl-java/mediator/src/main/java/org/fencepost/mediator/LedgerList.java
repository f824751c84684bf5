package org.fencepost.mediator;

import java.util.ArrayList;
import java.util.List;

/**
 * Which ledgers make up the log, oldest first: a text in ZooKeeper that its owner rewrites.
 *
 * @param owner     the oracle that wrote it last, by a name of its own
 * @param knownFrom of transactions with commit timestamps from here on all records are there; ledgers with earlier ones were deleted
 * @param ledgers   BookKeeper's ids
 */
record LedgerList(String owner, long knownFrom, List<Long> ledgers) {

    private static final String NOBODY = "-";

    String text() {
        StringBuilder text = new StringBuilder(owner).append(" known-from ").append(knownFrom).append(" ledgers");
        ledgers.forEach(ledger -> text.append(' ').append(ledger));
        return text.toString();
    }

    /** Nothing for an empty text: a new system. Throws IllegalArgumentException for any other text. */
    static LedgerList parse(String text) {
        if (text.isEmpty()) {
            return new LedgerList(NOBODY, 0, List.of());
        }
        String[] words = text.split(" ");
        try {
            List<Long> ledgers = new ArrayList<>();
            for (int i = 4; i < words.length; i++) {
                ledgers.add(Long.parseLong(words[i]));
            }
            LedgerList list = new LedgerList(words[0], Long.parseLong(words[2]), ledgers);
            if (list.text().equals(text)) {
                return list;
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("Mediator's list of ledgers in ZooKeeper reads '" + text + "', which no transaction manager wrote:"
                + " restore it, or committed transactions would be lost.");
    }

    LedgerList ownedBy(String next) {
        return new LedgerList(next, knownFrom, ledgers);
    }

    /** The same if it is there already. */
    LedgerList with(long ledger) {
        List<Long> more = new ArrayList<>(ledgers);
        if (!more.contains(ledger)) {
            more.add(ledger);
        }
        return new LedgerList(owner, knownFrom, more);
    }

    /** @param upTo the highest commit timestamp in it */
    LedgerList without(long ledger, long upTo) {
        List<Long> fewer = new ArrayList<>(ledgers);
        fewer.remove(ledger);
        return new LedgerList(owner, Math.max(knownFrom, upTo + 1), fewer);
    }
}
