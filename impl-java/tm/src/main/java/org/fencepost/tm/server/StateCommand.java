package org.fencepost.tm.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;
import org.fencepost.tm.zookeeper.ZooKeeperAuth;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Saves what the transaction managers keep in ZooKeeper, and restores it where it was lost.
 *
 * <p>Two of the objects are not restored. The lease is true for seconds. And maxTS, by the time it is needed, is too old: timestamps have
 * been given since, which would be given again. Its saved value is told instead, as the least that the operator has to go beyond.
 * Everything else is written only where there is nothing, so that a restore cannot do harm by being run on the wrong ZooKeeper.
 */
@Command(name = "tm-state", sortOptions = false, description = "Saves what the transaction managers keep in ZooKeeper, or restores what was lost of it.",
        footer = {"", "Exit code: 0 done; 1 rejected, and nothing was changed; 2 ZooKeeper or the file could not be used."})
public final class StateCommand implements Callable<Integer> {

    /** What to do. */
    enum Verb { save, restore }

    private static final String FIRST_LINE = "fencepost-state 1";
    private static final int LARGEST_FILE = 16 << 20;

    @Option(names = "--zookeeper", required = true, paramLabel = "HOST:PORT[,...][/PATH]", description = "As given to the transaction managers.")
    private String zooKeeper;

    @Option(names = "--zookeeper-auth", paramLabel = "FILE|sasl", description = "As given to the transaction managers.")
    private String zooKeeperAuth;

    @Parameters(index = "0", paramLabel = "save|restore", description = "save works at any time; restore before the first transaction manager is started.")
    private Verb verb;

    @Parameters(index = "1", paramLabel = "FILE", description = "A text file, one line for each object. Save does not overwrite.")
    private Path file;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    private boolean help;

    @Override
    public Integer call() {
        try (ZooKeeperObjects shared = new ZooKeeperObjects(zooKeeper, ZooKeeperAuth.of(zooKeeperAuth))) {
            return verb == Verb.save ? save(shared) : restore(shared, parse());
        } catch (UnreachableException | IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 2;
        } catch (NoSuchFileException e) {
            System.err.println("There is no " + (verb == Verb.save ? "folder for " : "file ") + file + ".");
            return 2;
        } catch (IOException e) {
            System.err.println("The file " + file + " cannot be used: " + e + ".");
            return 2;
        }
    }

    private int save(ZooKeeperObjects shared) throws UnreachableException, IOException {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        List<String> names = shared.names().stream().filter(name -> !name.equals(SharedObjects.LEASE)).sorted().toList();
        if (names.isEmpty()) {
            System.err.println("There is nothing to save: no transaction manager has ever run under this ZooKeeper address.");
            return 1;
        }
        for (String name : names) {
            text.append(name).append(' ').append(shared.read(name).text()).append('\n');
        }
        Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        System.out.println("Saved " + String.join(", ", names) + ".");
        return 0;
    }

    /** Texts by name. Throws IllegalArgumentException, with a sentence, if the file is not one of {@link #save}. */
    private Map<String, String> parse() throws IOException {
        if (Files.size(file) > LARGEST_FILE) {
            throw new IllegalArgumentException("The file " + file + " is too long to be one that tm-state saved.");
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        if (lines.isEmpty() || !lines.get(0).equals(FIRST_LINE)) {
            throw new IllegalArgumentException("The file " + file + " is none that tm-state saved: its first line is not '" + FIRST_LINE + "'.");
        }
        Map<String, String> texts = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", 2);
            if (words.length < 2 || !words[0].matches("[A-Za-z]{1,64}") || texts.put(words[0], words[1]) != null) {
                throw new IllegalArgumentException("Line " + (lines.indexOf(line) + 1) + " of " + file + " is none that tm-state saved.");
            }
        }
        EpochRecord.parse(texts.getOrDefault(SharedObjects.MAX_TS, ""));
        return texts;
    }

    private int restore(ZooKeeperObjects shared, Map<String, String> saved) throws UnreachableException {
        long then = EpochRecord.parse(saved.getOrDefault(SharedObjects.MAX_TS, "")).limit();
        List<String> present = shared.names();
        Map<String, Versioned> missing = new TreeMap<>();
        for (Map.Entry<String, String> object : saved.entrySet()) {
            Versioned now = present.contains(object.getKey()) ? shared.read(object.getKey()) : new Versioned("", 0);
            if (object.getKey().equals(SharedObjects.MAX_TS)) {
                if (!now.text().isEmpty() && EpochRecord.parse(now.text()).limit() < then) {
                    return refuse("maxTS is " + EpochRecord.parse(now.text()).limit() + ", and was " + then
                            + " when it was saved: timestamps were lost, and tm has to be started with --recover-from, above all that were given.");
                }
            } else if (now.text().isEmpty() && !object.getValue().isEmpty()) {
                missing.put(object.getKey(), now);
            } else if (!now.text().equals(object.getValue())) {
                return refuse("There is another " + object.getKey() + " in ZooKeeper already, '" + now.text()
                        + "': restore into a ZooKeeper address where no transaction manager has run since.");
            }
        }
        for (String name : missing.keySet()) {
            if (shared.compareAndSet(name, saved.get(name), shared.read(name).version()) < 0) {
                return refuse("Somebody else writes " + name + " now: stop all transaction managers, and restore again.");
            }
        }
        System.out.println(missing.isEmpty() ? "Nothing was missing." : "Restored " + String.join(", ", missing.keySet()) + ".");
        if (!present.contains(SharedObjects.MAX_TS) || shared.read(SharedObjects.MAX_TS).text().isEmpty()) {
            System.out.println("maxTS was " + then + " when it was saved, and more timestamps have been given since:"
                    + " start the first tm with --recover-from and a number above all of them.");
        }
        return 0;
    }

    private static int refuse(String why) {
        System.err.println(why);
        return 1;
    }
}
