package org.fencepost.protocol.trace;

/** Strings as JSON has them. By hand, since the protocol, and whoever embeds it, depends on no library. */
public final class JsonText {

    private JsonText() {
    }

    /** In quotation marks, with what JSON does not allow between them escaped. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        appendQuoted(quoted, text);
        return quoted.toString();
    }

    /** The same, behind what is there. */
    static void appendQuoted(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
