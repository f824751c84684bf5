package org.fencepost.tm.zookeeper;

/**
 * What the holder of the lease writes with each renewal.
 *
 * @param owner       unique to the process that holds it
 * @param address     host:port where it serves
 * @param leaseMillis how long it serves without another renewal, by its clock
 * @param driftMillis what a challenger waits on top of that
 * @param renewals    so that no two renewals look alike
 * @param epoch       where its timestamps start; 0 before it knows
 */
public record LeaseRecord(String owner, String address, long leaseMillis, long driftMillis, long renewals, long epoch) {

    public String text() {
        return owner + " " + address + " lease-ms " + leaseMillis + " drift-ms " + driftMillis + " renewals " + renewals
                + " epoch " + epoch;
    }

    /** Null for an empty text: nobody has held it yet. Throws IllegalArgumentException for any other text. */
    public static LeaseRecord parse(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String[] words = text.split(" ");
        try {
            LeaseRecord record = new LeaseRecord(words[0], words[1], Long.parseLong(words[3]), Long.parseLong(words[5]),
                    Long.parseLong(words[7]), Long.parseLong(words[9]));
            if (record.text().equals(text) && record.leaseMillis > 0 && record.driftMillis >= 0) {
                return record;
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("The lease in ZooKeeper reads '" + text + "', which no transaction manager wrote:"
                + " delete it if no other is running.");
    }
}
