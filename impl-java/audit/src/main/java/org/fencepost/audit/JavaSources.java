package org.fencepost.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the Java methods are that perform the spec's actions: the action's name, with a small first letter. */
final class JavaSources {
  private JavaSources() {}

  /** File and line of the method that declares itself an action's, as {@code OmidLL.java:123}; null where there is none. */
  static String locate(Path root, String action) {
    String method = Character.toLowerCase(action.charAt(0)) + action.substring(1);
    String emission = "Action." + action + ",";
    Pattern declaration = Pattern.compile("^    (?:\\w+ )*[\\w<>\\[\\], ]+ " + method + "\\(.*\\{$");
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        String text = Files.readString(file);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size() && text.contains(emission); i++) {
          if (declaration.matcher(lines.get(i)).matches()) {
            return root.relativize(file) + ":" + (i + 1);
          }
        }
      }
      return null;
    } catch (IOException e) {
      return null; // the sources are not here: the rejection stands without them
    }
  }
}
