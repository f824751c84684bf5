package org.fencepost.tm.zookeeper;

/**
 * The durable limit of timestamps.
 *
 * @param limit no timestamp at or above it has been handed out
 * @param owner who wrote it, to recognise an own write whose answer was lost; two processes may well write equal limits
 * @param lifetimeMillis the longest that a transaction from below the limit may live; 0 if none has begun there; UNKNOWN in
 *              records of older versions
 */
public record EpochRecord(long limit, String owner, long lifetimeMillis) {

    public static final long UNKNOWN = -1;

    public String text() {
        return limit + " " + owner + (lifetimeMillis == UNKNOWN ? "" : " lifetime-ms " + lifetimeMillis);
    }

    /** Limit 0 for an empty text: a new system. Throws IllegalArgumentException for any other text. */
    public static EpochRecord parse(String text) {
        if (text.isEmpty()) {
            return new EpochRecord(0, "", UNKNOWN);
        }
        String[] words = text.split(" ");
        try {
            EpochRecord record = new EpochRecord(Long.parseLong(words[0]), words[1], words.length == 2 ? UNKNOWN : Long.parseLong(words[3]));
            if (record.text().equals(text) && record.limit > 0 && record.lifetimeMillis >= UNKNOWN) {
                return record;
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("maxTS in ZooKeeper reads '" + text + "', which no transaction manager wrote:"
                + " restore it, or timestamps would be given twice.");
    }
}
