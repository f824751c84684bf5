package org.fencepost.audit.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the Java methods are that perform the spec's actions: the action's name, with a small first letter. */
public final class JavaSources {
    /** The modules that are the protocol; the others run, test and measure it. */
    private static final List<String> PROTOCOL = List.of("protocol", "tm", "hbase", "hbase-server");
    private static final Pattern METHOD = Pattern.compile("^(?: {2}| {4})(?!return |throw |else |new )(?:[\\w@<>\\[\\],.?]+ )+(\\w+)\\([^;]*$");

    private record Declaration(String place, String text) {}

    private final Map<String, List<Declaration>> methods = new HashMap<>();

    private JavaSources() {}

    /** Reads the protocol's modules below impl-java; what is not there has no methods. */
    public static JavaSources read(Path java) {
        JavaSources sources = new JavaSources();
        for (String module : PROTOCOL) {
            for (Path file : files(java.resolve(module).resolve("src/main/java"))) {
                sources.add(java.relativize(file).toString(), file);
            }
        }
        return sources;
    }

    private void add(String name, Path file) {
        String text = text(file);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher method = METHOD.matcher(lines.get(i));
            if (method.matches()) {
                methods.computeIfAbsent(method.group(1), m -> new ArrayList<>()).add(new Declaration("impl-java/" + name + ":" + (i + 1), text));
            }
        }
    }

    /** Files and lines of the methods of an action or guard; where some log the action, only those. */
    public List<String> of(String name) {
        List<Declaration> all = methods.getOrDefault(method(name), List.of());
        List<Declaration> logging = all.stream().filter(d -> d.text.contains("Action." + name + ",")).toList();
        return (logging.isEmpty() ? all : logging).stream().map(Declaration::place).toList();
    }

    private static String method(String name) {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** File and line of a piece of a type's source; null unless it occurs exactly once. */
    public static String find(Path java, String type, String piece) {
        String ending = type.replace('.', '/') + ".java";
        for (Path file : files(java)) {
            if (file.toString().endsWith("src/main/java/" + ending)) {
                String text = text(file);
                int at = text.indexOf(piece);
                return at < 0 || text.indexOf(piece, at + 1) >= 0 ? null
                        : "impl-java/" + java.relativize(file) + ":" + (1 + text.substring(0, at).chars().filter(c -> c == '\n').count()
                                + piece.substring(0, piece.length() - piece.stripLeading().length()).chars().filter(c -> c == '\n').count());
            }
        }
        return null;
    }

    /** File and line of the method that declares itself an action's, as {@code OmidLL.java:123}; null where there is none. */
    public static String locate(Path root, String action) {
        Pattern declaration = Pattern.compile("^    (?:\\w+ )*[\\w<>\\[\\], ]+ " + method(action) + "\\(.*\\{$");
        Pattern logs = Pattern.compile("Action\\." + action + "\\b");
        for (Path file : files(root)) {
            String text = text(file);
            List<String> lines = text.lines().toList();
            for (int i = 0; i < lines.size() && logs.matcher(text).find(); i++) {
                if (declaration.matcher(lines.get(i)).matches()) {
                    return root.relativize(file) + ":" + (i + 1);
                }
            }
        }
        return null;
    }

    private static List<Path> files(Path root) {
        try (Stream<Path> files = Files.isDirectory(root) ? Files.walk(root) : Stream.empty()) {
            return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            return List.of(); // the sources are not here: what is said stands without them
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
