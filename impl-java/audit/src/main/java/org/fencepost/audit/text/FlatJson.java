package org.fencepost.audit.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a trace: JSON objects without nesting, of text, whole numbers and flags. */
public final class FlatJson {
    private static final String STRING = "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*\"";
    /** Every one is a long; the last few longs are left out. */
    private static final String NUMBER = "-?(?:[1-8]\\d{18}|\\d{1,18})";
    private static final Pattern FIELD = Pattern.compile("(" + STRING + "):(" + STRING + "|" + NUMBER + "|true|false)");
    private static final Pattern OBJECT = Pattern.compile("\\{(?:" + FIELD + "(?:," + FIELD + ")*)?\\}");

    private FlatJson() {}

    /** A flat JSON object; null if the text is none, or names a field twice. */
    public static Map<String, Object> object(String text) {
        if (!OBJECT.matcher(text).matches()) {
            return null;
        }
        Map<String, Object> object = new LinkedHashMap<>();
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            if (object.put(unquote(field.group(1)), value(field.group(2))) != null) {
                return null;
            }
        }
        return object;
    }

    /** The same as a line, without its end. */
    public static String line(Map<String, Object> object) {
        StringJoiner fields = new StringJoiner(",", "{", "}");
        object.forEach((name, value) -> fields.add(Json.write(name) + ":" + Json.write(value)));
        return fields.toString();
    }

    private static Object value(String text) {
        return text.startsWith("\"") ? unquote(text) : text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text)
                : (Object) Long.valueOf(text);
    }

    private static String unquote(String quoted) {
        String text = quoted.substring(1, quoted.length() - 1);
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(++i);
            int letter = "bfnrt".indexOf(c);
            if (c == 'u') {
                out.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                out.append(letter < 0 ? c : "\b\f\n\r\t".charAt(letter));
            }
        }
        return out.toString();
    }
}
