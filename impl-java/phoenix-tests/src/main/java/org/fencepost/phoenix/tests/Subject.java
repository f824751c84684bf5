package org.fencepost.phoenix.tests;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What carries Phoenix's transactions, and how a JVM is started that has it on its class path. */
enum Subject {
    FENCEPOST,
    OMID;

    private static final List<String> JVM = List.of("-Xmx3g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m",
            "--add-opens", "java.base/java.lang=ALL-UNNAMED", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-opens",
            "java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens", "java.base/java.util=ALL-UNNAMED", "--add-opens",
            "java.base/java.util.concurrent=ALL-UNNAMED", "--add-opens", "java.base/java.io=ALL-UNNAMED");

    /**
     * @param home   the folder of this module, built
     * @param folder for the JVM's temporary files and, of Fencepost, its configuration, unless that is there already
     */
    List<String> command(Path home, Path folder, Class<?> main, String... arguments) throws IOException {
        return command(home, folder, Map.of(), main, arguments);
    }

    /** @param settings of Fencepost, beside those that users need */
    List<String> command(Path home, Path folder, Map<String, String> settings, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JVM);
        command.addAll(List.of("-Djava.io.tmpdir=" + folder.toAbsolutePath(), "-cp", classPath(home, folder, settings), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Of Apache Omid's, nothing of Fencepost, and Phoenix's own test classes before those that stand in for one of them. */
    private String classPath(Path home, Path folder, Map<String, String> settings) throws IOException {
        List<String> path = new ArrayList<>();
        Path ours = home.resolve("target/classes").toAbsolutePath();
        try (Stream<Path> libraries = Files.list(home.resolve("target/lib"))) {
            libraries.map(Path::toAbsolutePath).map(Path::toString).filter(jar -> this == FENCEPOST || !jar.contains("fencepost-")).sorted()
                    .forEach(path::add);
        }
        if (this == FENCEPOST) {
            path.add(0, ours.toString());
            path.add(0, site(Files.createDirectories(folder.resolve("conf")), settings).toAbsolutePath().toString());
        } else {
            path.add(ours.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    /** The lines of docs/phoenix.md, and a port for ZooKeeper that region servers are told beforehand. */
    private static Path site(Path conf, Map<String, String> settings) throws IOException {
        Path file = conf.resolve("hbase-site.xml");
        if (Files.exists(file)) {
            return conf;
        }
        int port = freePort();
        Map<String, String> values = new TreeMap<>(settings);
        values.putAll(Map.of("test.hbase.zookeeper.property.clientPort", Integer.toString(port), "fencepost.tm.zookeeper",
                "127.0.0.1:" + port, "hbase.coprocessor.regionserver.classes", "org.fencepost.phoenix.RegionServerInstaller",
                "hbase.coprocessor.master.classes", "org.fencepost.phoenix.TableDefaults", "phoenix.transactions.enabled", "true"));
        StringBuilder site = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        values.forEach((key, value) -> site.append("  <property><name>").append(key).append("</name><value>").append(value).append("</value></property>\n"));
        Files.writeString(file, site.append("</configuration>\n"));
        return conf;
    }

    /** Below those that the system gives to others, since it is taken seconds later. */
    private static int freePort() throws IOException {
        for (int attempt = 0;; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException e) {
                if (attempt == 20) {
                    throw e;
                }
            }
        }
    }
}
