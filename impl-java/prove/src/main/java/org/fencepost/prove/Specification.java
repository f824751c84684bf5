package org.fencepost.prove;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import tla2sany.drivers.FrontEndException;
import tla2sany.drivers.SANY;
import tla2sany.modanalyzer.SpecObj;
import tla2sany.semantic.ASTConstants;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ModuleNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDeclNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SemanticNode;
import tla2sany.st.Location;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * A module and all that it extends, as TLC's own parser reads it.
 *
 * @param root the parser's tree
 * @param modules the files that were read, but for the modules that come with TLC
 * @param overrides definitions that stand for others, as a configuration of TLC has them: the name on the left means what the one on the right
 *            does
 */
record Specification(ModuleNode root, List<Path> modules, Map<String, String> overrides) {
    private static final Pattern TYPE = Pattern.compile("@type:\\s*(.*?);", Pattern.DOTALL);
    private static final Pattern BY = Pattern.compile("@by:\\s*(.*?);", Pattern.DOTALL);
    private static final Pattern BEYOND = Pattern.compile("@beyond:\\s*(.*?);", Pattern.DOTALL);
    private static final Pattern ALIAS = Pattern.compile("@typeAlias:\\s*(\\w+)\\s*=\\s*(.*?);", Pattern.DOTALL);

    /**
     * @param library where modules that it extends are looked for
     * @throws AuditException where it cannot be parsed
     */
    static Specification read(Path module, List<Path> library, Map<String, String> overrides) {
        if (!Files.isRegularFile(module)) {
            throw new AuditException("There is no module '" + module + "'.");
        }
        String[] folders = library.stream().map(p -> p.toAbsolutePath() + "/").toArray(String[]::new);
        SpecObj spec = new SpecObj(module.toAbsolutePath().toString(), new SimpleFilenameToStream(folders));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            ToolIO.out = out;
            SANY.frontEndMain(spec, module.toAbsolutePath().toString(), out);
        } catch (FrontEndException e) {
            throw new AuditException("The module '" + module + "' cannot be parsed: " + e.getMessage());
        }
        ModuleNode root = spec.getExternalModuleTable().getRootModule();
        if (root == null || !spec.getParseErrors().isSuccess() || !spec.getSemanticErrors().isSuccess()) {
            throw new AuditException("The module '" + module + "' cannot be parsed: " + said.toString(StandardCharsets.UTF_8).strip());
        }
        List<Path> places = Stream.concat(Stream.of(module.toAbsolutePath().getParent()), library.stream()).toList();
        List<Path> modules = Stream.of(spec.getExternalModuleTable().getModuleNodes()).map(m -> m.getName() + ".tla")
                .flatMap(name -> places.stream().map(p -> p.resolve(name)).filter(Files::isRegularFile).limit(1)).sorted().toList();
        return new Specification(root, modules, overrides);
    }

    OpDefNode definition(String name) {
        OpDefNode definition = root.getOpDef(name);
        if (definition == null) {
            throw new AuditException("The module " + root.getName() + " does not define '" + name + "'.");
        }
        return definition;
    }

    boolean defines(String name) {
        return root.getOpDef(name) != null;
    }

    /** A definition's body as it stands in the module itself, on one line. */
    String text(String name) throws IOException {
        Location at = definition(name).getBody().getLocation();
        Path file = modules.stream().filter(m -> m.getFileName().toString().equals(at.source() + ".tla")).findFirst().orElseThrow();
        return String.join(" ", Files.readAllLines(file).subList(at.beginLine() - 1, at.endLine())).replaceFirst(".*==", "").strip().replaceAll("\\s+", " ");
    }

    /** What the comment before a definition says that it is kept by. */
    List<String> by(String name) {
        return named(name, BY);
    }

    /** The mutants that do nothing where the assumptions of the proof hold. */
    List<String> beyond() {
        return named("Constants", BEYOND);
    }

    private List<String> named(String definition, Pattern tag) {
        String comment = defines(definition) ? definition(definition).getPreCommentsAsString() : null;
        Matcher m = tag.matcher(comment == null ? "" : comment);
        return m.find() ? Pattern.compile("[A-Z]\\w+").matcher(m.group(1)).results().map(MatchResult::group).toList() : List.of();
    }

    /** The definition that stands for this one. */
    OpDefNode meant(OpDefNode definition) {
        return isOverridden(definition) ? definition(overrides.get(definition.getName().toString())) : definition;
    }

    /** An instance's definition of the same name is another one. */
    private boolean isOverridden(OpDefNode definition) {
        String name = definition.getName().toString();
        return overrides.containsKey(name) && definition == root.getOpDef(name);
    }

    /** The same, with other definitions that stand for some. */
    Specification with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(overrides);
        all.putAll(more);
        return new Specification(root, modules, all);
    }

    /** The types of the variables or constants, by their annotations. */
    Map<OpDeclNode, Type> types(OpDeclNode[] declared) {
        Map<OpDeclNode, Type> types = new LinkedHashMap<>();
        Map<String, String> aliases = aliases();
        for (OpDeclNode symbol : declared) {
            Matcher m = TYPE.matcher(symbol.getPreCommentsAsString() == null ? "" : symbol.getPreCommentsAsString());
            String text = null;
            while (m.find()) {
                text = m.group(1);
            }
            if (text != null) {
                try {
                    types.put(symbol, Type.parse(text, aliases));
                } catch (IllegalArgumentException e) {
                    throw Untranslatable.at(symbol, e.getMessage());
                }
            }
        }
        return types;
    }

    private Map<String, String> aliases() {
        Map<String, String> aliases = new LinkedHashMap<>();
        for (OpDefNode definition : root.getOpDefs()) {
            Matcher m = ALIAS.matcher(definition.getPreCommentsAsString() == null ? "" : definition.getPreCommentsAsString());
            while (m.find()) {
                aliases.put(m.group(1), m.group(2));
            }
        }
        return aliases;
    }

    /** Whether an action, or another definition, depends on one that is overridden, or the sets do whose elements the action is taken with. */
    boolean isChanged(String definition) {
        return isChanged(definition(definition), new HashSet<>()) || takenOfChanged(root.getOpDef("Next"), false, new HashSet<>()).contains(definition);
    }

    /** The actions below a quantifier over a set that depends on what is overridden. */
    private Set<String> takenOfChanged(SemanticNode node, boolean changed, Set<SemanticNode> seen) {
        Set<String> taken = new HashSet<>();
        if (node == null || !seen.add(node)) {
            return taken;
        }
        boolean inside = changed;
        if (node instanceof OpApplNode application) {
            for (ExprNode bound : application.getBdedQuantBounds() == null ? new ExprNode[0] : application.getBdedQuantBounds()) {
                inside = inside || isChanged(bound, new HashSet<>());
            }
            if (application.getOperator() instanceof OpDefNode definition && definition.getKind() != ASTConstants.BuiltInKind) {
                if (inside) {
                    taken.add(definition.getName().toString());
                }
                taken.addAll(takenOfChanged(definition, inside, seen));
            }
        }
        for (SemanticNode child : node instanceof OpDefNode definition ? new SemanticNode[] {definition.getBody()} : node.getChildren() == null ? new SemanticNode[0] : node.getChildren()) {
            taken.addAll(takenOfChanged(child, inside, seen));
        }
        return taken;
    }

    private boolean isChanged(SemanticNode node, Set<SemanticNode> seen) {
        if (node == null || !seen.add(node)) {
            return false;
        }
        SemanticNode used = node instanceof OpApplNode application ? application.getOperator() : node;
        if (used instanceof OpDefNode definition) {
            if (isOverridden(definition) || isChanged(definition.getBody(), seen)) {
                return true;
            }
        }
        return node.getChildren() != null && Stream.of(node.getChildren()).anyMatch(child -> isChanged(child, seen));
    }
}
