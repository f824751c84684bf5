package org.fencepost.audit.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.models.Config;

/**
 * One way in which a model could come to say less without anybody noticing: a property or a witness is gone from its configuration, or a
 * constant is smaller.
 *
 * @param becomes what stands in its place; empty if nothing does
 * @param newText of the whole configuration
 */
record GateMutation(String spec, String model, Kind kind, String was, String becomes, String newText) {

    enum Kind { PROPERTY, WITNESS, CONSTANT }

    private static final Pattern WITNESSES = Pattern.compile("^\\\\\\* witnesses: ((?:.*,\n\\\\\\*)*.*)$", Pattern.MULTILINE);
    private static final Pattern SET = Pattern.compile("\\b(\\w+ = \\{)([^{},]+(?:, [^{},]+)+)\\}");
    private static final Pattern NUMBER = Pattern.compile("\\b(\\w+ = )([1-9]\\d*)\\b");
    private static final Pattern FLAG = Pattern.compile("\\b(\\w+ = )(TRUE|FALSE)\\b");

    String id() {
        return spec + "/" + model + ": " + was + " -> " + (becomes.isEmpty() ? "nothing" : becomes);
    }

    /** All of a model's configuration. */
    static List<GateMutation> of(String spec, String model, String text) {
        List<GateMutation> all = new ArrayList<>();
        int body = text.indexOf("SPECIFICATION");
        Config config = Config.parse(text);
        List<String> properties = new ArrayList<>(config.invariants());
        properties.addAll(config.properties());
        for (String property : properties) {
            Matcher m = Pattern.compile("(?:INVARIANT|PROPERT)[^=]*?\\b(" + property + ")\\b", Pattern.DOTALL).matcher(text);
            if (m.find(body)) {
                all.add(new GateMutation(spec, model, Kind.PROPERTY, property, "", text.substring(0, m.start(1)) + text.substring(m.end(1))));
            }
        }
        Matcher witnesses = WITNESSES.matcher(text);
        if (witnesses.find()) {
            List<String> named = List.of(witnesses.group(1).split(",\\s*(?:\\\\\\*\\s*)?"));
            for (String witness : named) {
                String rest = String.join(", ", named.stream().filter(w -> !w.equals(witness)).toList());
                all.add(new GateMutation(spec, model, Kind.WITNESS, witness, "", text.substring(0, witnesses.start())
                        + (rest.isEmpty() ? "" : "\\* witnesses: " + rest) + text.substring(witnesses.end())));
            }
        }
        String constants = text.substring(body);
        SET.matcher(constants).results().forEach(m -> all.add(constant(spec, model, text, body, m,
                m.group(1) + m.group(2).substring(0, m.group(2).lastIndexOf(", ")) + "}")));
        NUMBER.matcher(constants).results().forEach(m -> all.add(constant(spec, model, text, body, m,
                m.group(1) + (Long.parseLong(m.group(2)) - 1))));
        FLAG.matcher(constants).results().forEach(m -> all.add(constant(spec, model, text, body, m,
                m.group(1) + (m.group(2).equals("TRUE") ? "FALSE" : "TRUE"))));
        return all;
    }

    private static GateMutation constant(String spec, String model, String text, int body, MatchResult m, String becomes) {
        return new GateMutation(spec, model, Kind.CONSTANT, m.group(), becomes,
                text.substring(0, body + m.start()) + becomes + text.substring(body + m.end()));
    }
}
