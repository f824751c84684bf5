package org.fencepost.tm;

/**
 * The durable limit of timestamps.
 *
 * @param limit no timestamp at or above it has been handed out
 * @param owner who wrote it, to recognise an own write whose answer was lost; two processes may well write equal limits
 */
public record EpochRecord(long limit, String owner) {

    String text() {
        return limit + " " + owner;
    }

    /** Limit 0 for an empty text: a new system. Throws IllegalArgumentException for any other text. */
    public static EpochRecord parse(String text) {
        if (text.isEmpty()) {
            return new EpochRecord(0, "");
        }
        String[] words = text.split(" ");
        try {
            EpochRecord record = new EpochRecord(Long.parseLong(words[0]), words[1]);
            if (record.text().equals(text) && record.limit > 0) {
                return record;
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("maxTS in ZooKeeper reads '" + text + "', which no transaction manager wrote:"
                + " restore it, or timestamps would be given twice.");
    }
}
