package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.audit.text.AuditException;

/** The repository that a tree belongs to, through the git command. */
final class Git {
    /** What is done with a revision that was checked out. */
    interface Visit<T> {
        T to(Path tree) throws IOException, InterruptedException;
    }

    private record Answer(int exit, String text) {}

    private final Path root;

    Git(Path root) {
        this.root = root;
    }

    /** The commit of the tree, with a remark if files that it tracks were changed; null outside of a repository. */
    String describe() throws InterruptedException {
        Answer commit = git("rev-parse", "--short=12", "HEAD");
        Answer changes = git("status", "--porcelain", "--untracked-files=no");
        return commit.exit != 0 ? null : commit.text + (changes.text.isEmpty() ? "" : " with changes");
    }

    /** @throws AuditException where there is no such revision */
    String resolve(String revision) throws InterruptedException {
        Answer commit = git("rev-parse", "--short=12", "--verify", "--end-of-options", revision + "^{commit}");
        if (commit.exit != 0) {
            throw new AuditException("There is no revision '" + revision + "' to compare with: give a commit, branch or tag of this repository.");
        }
        return commit.text;
    }

    /** Visits a revision in a work tree of its own, which is removed afterwards, also when the visit fails or is interrupted. */
    <T> T checkedOut(String revision, Visit<T> visit) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("fencepost-base").toRealPath();
        Thread remover = new Thread(() -> remove(folder));
        Runtime.getRuntime().addShutdownHook(remover);
        try {
            Answer added = git("worktree", "add", "--detach", folder.resolve("tree").toString(), revision);
            if (added.exit != 0) {
                throw new AuditException("Cannot check out '" + revision + "': " + added.text + ".");
            }
            return visit.to(folder.resolve("tree"));
        } finally {
            remove(folder);
            Runtime.getRuntime().removeShutdownHook(remover);
        }
    }

    private void remove(Path folder) {
        try {
            git("worktree", "remove", "--force", folder.resolve("tree").toString());
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // an empty folder for temporary files
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer git(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Answer(process.waitFor(), text);
        } catch (IOException e) {
            return new Answer(-1, "git is not installed");
        }
    }
}
