package org.fencepost.audit.report;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.audit.text.Json;

/** What the pages can be searched for: a script, since a page that was opened as a file may load that, but no data. */
final class Search {
    /** So much of a comment is searched; what it is about stands at its beginning. */
    private static final int LENGTH = 300;

    private Search() {}

    /** Entries of kind, name, what it says, and page. */
    static String script(Dossier dossier) {
        List<List<String>> entries = new ArrayList<>();
        for (Dossier.SystemPart system : dossier.systems()) {
            String s = system.name();
            entries.add(entry("system", s, system.about(), "system-" + s));
            system.properties().forEach(p -> entries.add(entry("property of " + s, p.name(), p.says(), "property-" + s + "-" + p.name())));
            system.actions().forEach(a -> entries.add(entry("action of " + s, a.name(), a.source() + " " + a.says(), "action-" + s + "-" + a.name())));
            system.guards().forEach(g -> entries.add(entry("guard of " + s, g.name(), g.says(), "guard-" + s + "-" + g.name())));
            system.models().forEach(m -> entries.add(entry("model of " + s, m.name(), m.verdict(), "model-" + s + "-" + m.name())));
            system.mutants().forEach(m -> entries.add(entry("mutant of " + s, m.name(), "removes " + m.guard() + ", " + m.verdict() + ". "
                    + (m.why() == null ? "" : m.why()), "mutant-" + s + "-" + m.name())));
        }
        return "// What the pages have, by name.\nconst entries = " + Json.write(entries) + ";\n";
    }

    private static List<String> entry(String kind, String name, String says, String id) {
        String plain = says.replace("`", "").replaceAll("\\s+", " ");
        return List.of(kind, name, plain.length() > LENGTH ? plain.substring(0, LENGTH) + " …" : plain, Site.href(id));
    }
}
