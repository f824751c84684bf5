package org.fencepost.audit.report;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pieces of HTML. Everything that comes from outside goes through {@link #text} or {@link #markdown}. By hand rather than by templates:
 * pages are made of nested tables whose rows are computed, and that reads better in Java than in a language of its own.
 */
final class Html {
    private static final Pattern INLINE = Pattern.compile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\*([^*]+)\\*|\\[([^]]+)\\]\\([^)]*\\)");

    private Html() {}

    static String text(Object value) {
        return String.valueOf(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    /** The characters that XML's references stand for. */
    static String plain(String xml) {
        return xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&#10;", " ")
                .replace("&amp;", "&");
    }

    static String code(Object value) {
        return "<code>" + text(value) + "</code>";
    }

    /** A link to the part of the site that has this id. */
    static String link(String id, String text) {
        return "<a href=\"" + text(Site.href(id)) + "\">" + text(text) + "</a>";
    }

    static String section(String id, String title, String content) {
        return "<section aria-labelledby=\"" + text(id) + "\"><h2 id=\"" + text(id) + "\">" + text(title) + "</h2>\n" + content + "</section>\n";
    }

    static String links(String prefix, List<String> names) {
        return names.stream().map(n -> link(prefix + n, n)).collect(Collectors.joining(", "));
    }

    /** A line of Markdown: code, emphasis, and links as their text. */
    static String inline(String markdown) {
        return inline(markdown, Html::code);
    }

    /** @param code what stands for a piece of code */
    static String inline(String markdown, UnaryOperator<String> code) {
        Matcher m = INLINE.matcher(markdown);
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (m.find()) {
            out.append(text(markdown.substring(at, m.start())));
            out.append(m.group(1) != null ? code.apply(m.group(1)) : m.group(2) != null ? "<strong>" + text(m.group(2)) + "</strong>"
                    : m.group(3) != null ? "<em>" + text(m.group(3)) + "</em>" : text(m.group(4)));
            at = m.end();
        }
        return out + text(markdown.substring(at));
    }

    /** Paragraphs and lists of Markdown. */
    static String markdown(String text) {
        StringBuilder out = new StringBuilder();
        boolean list = false;
        for (String block : text.split("\\n(?=- )|\\n\\s*\\n")) {
            String line = block.strip().replaceAll("\\s+", " ");
            boolean item = line.startsWith("- ");
            out.append(list && !item ? "</ul>\n" : !list && item ? "<ul>\n" : "");
            out.append(item ? "<li>" + inline(line.substring(2)) + "</li>\n" : line.isEmpty() ? "" : "<p>" + inline(line) + "</p>\n");
            list = item;
        }
        return out.append(list ? "</ul>\n" : "").toString();
    }

    /** A row of a table. @param id null where nothing leads to it @param cells HTML; the first heads the row */
    record Row(String id, List<String> cells) {}

    static Row row(String id, String... cells) {
        return new Row(id, List.of(cells));
    }

    /** A table in a box of its own that scrolls where it is too wide. */
    static String table(String caption, List<String> head, List<Row> rows) {
        return table("", caption, head, rows);
    }

    /** @param kind class of the table: {@code cards} where its rows stand one below the other on a narrow screen */
    static String table(String kind, String caption, List<String> head, List<Row> rows) {
        StringBuilder out = new StringBuilder("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + text(caption)
                + "\"><table" + (kind.isEmpty() ? "" : " class=\"" + kind + "\"") + "><caption>"
                + text(caption) + "</caption><thead><tr>");
        head.forEach(h -> out.append("<th scope=\"col\">").append(text(h)).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        for (Row row : rows) {
            out.append(row.id == null ? "<tr>" : "<tr id=\"" + text(row.id) + "\">").append("<th scope=\"row\">").append(row.cells.get(0))
                    .append("</th>");
            for (int i = 1; i < row.cells.size(); i++) {
                out.append(kind.isEmpty() ? "<td>" : "<td data-head=\"" + text(head.get(i)) + "\">").append(row.cells.get(i)).append("</td>");
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody></table></div>\n").toString();
    }

    static String details(String id, String summary, String content) {
        return "<details" + (id == null ? "" : " id=\"" + text(id) + "\"") + "><summary>" + summary + "</summary>\n" + content + "</details>\n";
    }
}
