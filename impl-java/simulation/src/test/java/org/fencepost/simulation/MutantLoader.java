package org.fencepost.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads protocol, transaction manager and simulator once more, with some source files changed: compiles them in memory, and defines all classes
 * of the project anew. So the code that ships knows nothing of mutants.
 */
public final class MutantLoader extends ClassLoader {

    private static final String PROJECT = "org.fencepost.";
    private static final List<Path> SOURCES = List.of(Path.of("..", "protocol", "src", "main", "java"), Path.of("..", "tm", "src", "main", "java"),
            Path.of("..", "simulation", "src", "main", "java"));

    private final Map<String, byte[]> changed;

    private MutantLoader(Map<String, byte[]> changed) {
        super(MutantLoader.class.getClassLoader());
        this.changed = changed;
    }

    public static MutantLoader of(CodeMutant mutant) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (CodeMutant.Edit edit : mutant.edits()) {
            String type = edit.type() == null ? mutant.type() : edit.type();
            String source = sources.containsKey(type) ? sources.get(type) : Files.readString(path(type));
            sources.put(type, changed(source, edit, mutant.spec() + " in " + type));
        }
        return new MutantLoader(compile(sources));
    }

    static Path path(String type) {
        String file = type.replace('.', '/') + ".java";
        return SOURCES.stream().map(root -> root.resolve(file)).filter(Files::exists).findFirst().orElseThrow();
    }

    private static String changed(String source, CodeMutant.Edit edit, String mutant) {
        int at = source.indexOf(edit.was());
        if (at < 0 || source.indexOf(edit.was(), at + 1) >= 0) {
            throw new IllegalArgumentException("Mutant " + mutant + ": this must occur once: " + edit.was());
        }
        return source.substring(0, at) + edit.becomes() + source.substring(at + edit.was().length());
    }

    private static Map<String, byte[]> compile(Map<String, String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavaFileManager inMemory = new ForwardingJavaFileManager<>(files) {
                @Override
                public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                    return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + ".class"), kind) {
                        @Override
                        public OutputStream openOutputStream() {
                            return classes.computeIfAbsent(name, n -> new ByteArrayOutputStream());
                        }
                    };
                }
            };
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach((type, source) -> units.add(
                    new SimpleJavaFileObject(URI.create("mem:///" + type.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return source;
                        }
                    }));
            List<String> options = List.of("-nowarn", "-proc:none", "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(messages, inMemory, null, options, null, units).call()) {
                throw new IllegalArgumentException("The mutant of " + sources.keySet() + " does not compile:\n" + messages);
            }
        }
        Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((name, out) -> bytes.put(name, out.toByteArray()));
        return bytes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(PROJECT)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = changed.get(name);
        if (bytes == null) {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
