package org.fencepost.audit;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Writes maps, lists, strings, numbers, Booleans and null as JSON. */
public final class Json {
  private Json() {}

  /** The text, indented. */
  public static String write(Object value) {
    return write(value, "\n");
  }

  private static String write(Object value, String newline) {
    String deeper = newline + "  ";
    if (value instanceof Map<?, ?> map) {
      StringJoiner fields = new StringJoiner("," + deeper, "{" + deeper, newline + "}").setEmptyValue("{}");
      map.forEach((k, v) -> fields.add(quote(k.toString()) + ": " + write(v, deeper)));
      return fields.toString();
    } else if (value instanceof List<?> list) {
      StringJoiner items = new StringJoiner("," + deeper, "[" + deeper, newline + "]").setEmptyValue("[]");
      list.forEach(v -> items.add(write(v, deeper)));
      return items.toString();
    }
    return value == null || value instanceof Number || value instanceof Boolean ? String.valueOf(value) : quote(value.toString());
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
