package org.fencepost.audit.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the names a caller may have meant. */
public final class Names {
    private Names() {}

    /** The known names within a few typing errors of {@code name}, nearest first; one error in four letters. */
    public static List<String> near(String name, Collection<String> known) {
        int allowed = Math.max(1, name.length() / 4);
        return known.stream()
                .filter(k -> distance(name, k) <= allowed)
                .sorted(Comparator.comparingInt((String k) -> distance(name, k)).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** The least distance of {@code part} to any stretch of {@code name} of its length: for part of a name with a typing error. */
    public static int difference(String part, String name) {
        int least = distance(part, name);
        for (int i = 0; i + part.length() <= name.length(); i++) {
            least = Math.min(least, distance(part, name.substring(i, i + part.length())));
        }
        return least;
    }

    /** Levenshtein distance, upper and lower case alike. */
    static int distance(String a, String b) {
        String x = a.toLowerCase(java.util.Locale.ROOT);
        String y = b.toLowerCase(java.util.Locale.ROOT);
        int[] row = new int[y.length() + 1];
        for (int j = 0; j <= y.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= x.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= y.length(); j++) {
                int substitute = diagonal + (x.charAt(i - 1) == y.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[y.length()];
    }
}
