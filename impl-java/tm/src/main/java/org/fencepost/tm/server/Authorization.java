package org.fencepost.tm.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Which subjects of certificates have which {@link Role}. One line of the file lists one of them, and a line that begins with # is a remark:
 *
 * <pre>
 * client          CN=orders,OU=shop,O=Example
 * region-server   CN=*.rs.example.org,O=Example
 * operator        CN=alice,*
 * </pre>
 *
 * A subject is written as in RFC 2253. All its parts count, in their order; a {@code *} within a value stands for any characters of
 * that value, and a last part {@code *} for any further parts. Types are compared without regard to case, values with it. So nothing
 * but what is written matches: {@code CN=alice} is not {@code CN=alice,O=Elsewhere}, though the same authority may have signed both.
 *
 * <p>Immutable. When the file changes, another takes its place.
 */
final class Authorization {

    private static final int LARGEST_FILE = 1 << 20;
    private static final String REST = ",*";

    /**
     * @param parts   from the last to the first, as {@link LdapName} numbers them
     * @param andMore whether parts may follow those written, that is, come before them in this order
     */
    private record Rule(Role role, List<Rdn> parts, boolean andMore) {

        boolean matches(List<Rdn> subject) {
            int more = subject.size() - parts.size();
            if (more < 0 || more > 0 && !andMore) {
                return false;
            }
            for (int i = 0; i < parts.size(); i++) {
                if (!matches(parts.get(i), subject.get(more + i))) {
                    return false;
                }
            }
            return true;
        }

        private static boolean matches(Rdn pattern, Rdn part) {
            return part.size() == 1 && pattern.getType().equalsIgnoreCase(part.getType())
                    && (pattern.getValue() instanceof String glob && part.getValue() instanceof String value ? globMatches(glob, value)
                            : Rdn.escapeValue(pattern.getValue()).equals(Rdn.escapeValue(part.getValue())));
        }
    }

    private final String text;
    private final List<Rule> rules;

    private Authorization(String text, List<Rule> rules) {
        this.text = text;
        this.rules = rules;
    }

    /** Throws IllegalArgumentException, with a sentence that names file and line, if it cannot be read or makes no sense. */
    static Authorization read(Path file) {
        return parse(file, text(file));
    }

    /** The same object unless the file reads differently now. Throws as {@link #read} does. */
    Authorization readAgain(Path file) {
        String now = text(file);
        return now.equals(text) ? this : parse(file, now);
    }

    private static String text(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST_FILE + 1);
            if (bytes.length > LARGEST_FILE) {
                throw new IllegalArgumentException("The file " + file + " of --authorize is longer than " + LARGEST_FILE + " bytes.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("The file " + file + " of --authorize is not UTF-8.", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("The file " + file + " of --authorize cannot be read.", e);
        }
    }

    private static Authorization parse(Path file, String text) {
        List<Rule> rules = new ArrayList<>();
        int number = 0;
        for (String raw : (Iterable<String>) text.lines()::iterator) {
            number++;
            String line = raw.strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                rules.add(rule(line, "Line " + number + " of " + file + " "));
            }
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("The file " + file + " of --authorize lists no subjects, so no client could be served.");
        }
        return new Authorization(text, List.copyOf(rules));
    }

    private static Rule rule(String line, String where) {
        String[] words = line.split("\\s+", 2);
        Role role = Role.of(words[0]);
        if (role == null) {
            throw new IllegalArgumentException(where + "begins with '" + words[0] + "' and not with a role: client, region-server or operator.");
        }
        if (words.length < 2) {
            throw new IllegalArgumentException(where + "names no subject after the role.");
        }
        boolean andMore = words[1].replaceAll("\\s", "").endsWith(REST);
        String name = andMore ? words[1].substring(0, words[1].lastIndexOf(',')) : words[1];
        try {
            List<Rdn> parts = new LdapName(name).getRdns();
            if (parts.isEmpty() || parts.stream().anyMatch(part -> part.size() != 1)) {
                throw new InvalidNameException();
            }
            // The first part written is the last of the list: what may follow comes at the list's beginning.
            return new Rule(role, List.copyOf(parts), andMore);
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException(where + "names '" + words[1] + "', which is no subject such as CN=orders,O=Example.", e);
        }
    }

    /** The requests that a subject may send, see {@link Role#rights}; 0 if it is not listed. */
    long rights(String subject) {
        long rights = 0;
        try {
            List<Rdn> parts = new LdapName(subject).getRdns();
            for (Rule rule : rules) {
                if (rule.matches(parts)) {
                    rights |= rule.role().rights();
                }
            }
        } catch (InvalidNameException e) {
            return 0; // a subject that cannot be read is nobody's
        }
        return rights;
    }

    /** In time proportional to the product of the lengths, whatever they are: no regular expression out of a certificate's reach. */
    private static boolean globMatches(String glob, String value) {
        int g = 0;
        int v = 0;
        int star = -1;
        int resume = 0;
        while (v < value.length()) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                star = g++;
                resume = v;
            } else if (g < glob.length() && glob.charAt(g) == value.charAt(v)) {
                g++;
                v++;
            } else if (star >= 0) {
                g = star + 1;
                v = ++resume;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }
}
