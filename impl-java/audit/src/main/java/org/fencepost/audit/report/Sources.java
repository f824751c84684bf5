package org.fencepost.audit.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Links to lines of specs and sources, and the pages with numbered lines that they lead to: the text as it was when it was audited. */
final class Sources {
    private static final Pattern PLACE = Pattern.compile("([\\w./-]+):(\\d+)");

    private final Path root;
    private final Map<String, List<String>> linked = new TreeMap<>();

    /** @param root the tree that was audited */
    Sources(Path root) {
        this.root = root;
    }

    /** A place such as {@code specs/OmidLL.tla:123} as a link that shows file and line; where the file is not there, its text alone. */
    String link(String place) {
        Matcher m = PLACE.matcher(place);
        String shown = Html.code(place.replaceAll(".*/", ""));
        if (!m.matches() || !isThere(m.group(1)) || Integer.parseInt(m.group(2)) < 1 || Integer.parseInt(m.group(2)) > linked.get(m.group(1)).size()) {
            return "<span title=\"" + Html.text(place) + "\">" + shown + "</span>";
        }
        return "<a href=\"" + Html.text(page(m.group(1))) + "#L" + m.group(2) + "\" title=\"" + Html.text(place) + "\">" + shown + "</a>";
    }

    private boolean isThere(String file) {
        if (!linked.containsKey(file) && Files.isRegularFile(root.resolve(file))) {
            try {
                linked.put(file, Files.readAllLines(root.resolve(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return linked.containsKey(file);
    }

    private static String page(String file) {
        return file.replace('/', '.') + ".html";
    }

    /** The pages of all files that something links to: title and content by name. */
    void addTo(Site site) {
        linked.forEach((file, lines) -> {
            StringBuilder content = new StringBuilder("<h2>").append(Html.code(file)).append("</h2>\n<pre class=\"source\">");
            for (int i = 0; i < lines.size(); i++) {
                content.append("<span id=\"L").append(i + 1).append("\">").append(Html.text(lines.get(i))).append("\n</span>");
            }
            site.add(page(file), file, content.append("</pre>\n").toString());
        });
    }
}
