package org.fencepost.audit;

import java.io.PrintStream;

/** Prints box drawing and arrows as ASCII, for terminals that cannot show them. */
final class AsciiStream extends PrintStream {
  private static final String FANCY = "│─┼→−↻…";
  private static final String PLAIN = "|-+>-@.";

  AsciiStream(PrintStream out) {
    super(out, true);
  }

  @Override
  public void print(String text) {
    super.print(plain(text));
  }

  @Override
  public void println(String text) {
    super.println(plain(text));
  }

  private static String plain(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (char c : text.toCharArray()) {
      int at = FANCY.indexOf(c);
      out.append(at >= 0 ? PLAIN.charAt(at) : c);
    }
    return out.toString();
  }
}
