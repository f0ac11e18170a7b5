package kvant.lab.commit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.process.Folders;
import kvant.lab.process.Folders.HeldFile;
import kvant.lab.process.ServerOutput;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;

/// Commits of a source tree, each checked out into its own worktree and built there.
///
///     TREE/.build/commits/ID    the worktree, whose `./kvant` is that of the commit
///
/// A built tree is kept for later comparisons. When there are too many, the least recently used ones are deleted. While
/// this is open, no other comparison of the source tree can build or delete them.
///
/// Belongs to the calling thread.
public final class CommitTrees implements AutoCloseable {

    /// Two for a comparison, and those of the two comparisons before it.
    static final int MOST_KEPT = 6;

    private static final Duration GIT_LIMIT = Duration.ofMinutes(5);
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(30);
    /// The program that starts a node of a tree.
    public static final String LAUNCHER = "kvant";
    private static final String LOCK = "lock";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{40,64}");

    private final Path tree;
    private final Path folder;
    private final Tool tool;
    private final HeldFile held;

    private CommitTrees(Path tree, Path folder, Tool tool, HeldFile held) {
        this.tree = tree;
        this.folder = folder;
        this.tool = tool;
        this.held = held;
    }

    /// @param tree the working tree
    /// @throws UserException when it is not writable, or another comparison uses it
    public static CommitTrees of(Path tree, StopSwitch stop) {
        try {
            Path root = tree.toRealPath();
            Path folder = Files.createDirectories(root.resolve(".build/commits"));
            HeldFile held = HeldFile.tryHold(folder.resolve(LOCK))
                    .orElseThrow(() -> new UserException(
                            "another 'kvant lab compare-commits' compares commits of " + root + ": wait for its end"));
            return new CommitTrees(root, folder, new Tool(folder.resolve("tool.log"), stop), held);
        } catch (IOException e) {
            throw new UserException("cannot check commits out next to " + tree + ": " + e.getMessage(), e);
        }
    }

    /// The two ends of `A..B`; an omitted A or B is HEAD.
    ///
    /// @throws UserException when one of them is no commit
    public List<Commit> ends(String range) {
        int dots = range.indexOf("..");
        if (dots < 0 || range.startsWith("...", dots)) {
            throw new UserException("'" + range + "' is not A..B, two commits");
        }
        return List.of(commit(range.substring(0, dots)), commit(range.substring(dots + 2)));
    }

    private Commit commit(String name) {
        String wanted = name.isEmpty() ? "HEAD" : name;
        Tool.Ended found = git(tree, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted + "^{commit}");
        if (found.code() != 0 || !ID.matcher(found.lastLine()).matches()) {
            throw new UserException("there is no commit '" + wanted + "' in " + tree);
        }
        String id = found.lastLine();
        return new Commit(id, git(tree, "log", "-1", "--format=%s", id).lastLine());
    }

    /// The folder of the commit's tree, existing or not.
    public Path folder(Commit commit) {
        return folder.resolve(commit.id());
    }

    /// Checks out and builds a commit unless that was done before.
    ///
    /// @throws UserException when it has no launcher, or the build fails
    public void build(Commit commit) {
        Path own = folder(commit);
        if (!isCheckedOut(own, commit)) {
            checkOut(own, commit);
        }
        Path launcher = own.resolve(LAUNCHER);
        if (!Files.isExecutable(launcher)) {
            throw new UserException("commit " + commit.shortId() + " has no ./" + LAUNCHER);
        }
        Tool.Ended build = tool.run(BUILD_LIMIT, own, List.of(launcher.toString(), "version"));
        if (build.code() != 0) {
            throw new UserException("commit " + commit.shortId() + " cannot be built: " + build.lastLine());
        }
        use(own);
    }

    /// True if the tree is checked out and unmodified.
    ///
    /// @throws UserException when it contains local changes
    private boolean isCheckedOut(Path own, Commit commit) {
        if (!Files.exists(own.resolve(".git"))) { // git would report on the enclosing tree
            return false;
        }
        if (!git(own, "rev-parse", "HEAD").lastLine().equals(commit.id())) {
            return false;
        }
        Tool.Ended changes = git(own, "status", "--porcelain", "--untracked-files=no");
        if (!changes.output().isEmpty()) {
            throw new UserException(own + " is not as it was committed: undo what was changed there, or delete it");
        }
        return changes.code() == 0;
    }

    private void checkOut(Path own, Commit commit) {
        remove(own);
        Tool.Ended ended = git(tree, "worktree", "add", "--quiet", "--detach", own.toString(), commit.id());
        if (ended.code() != 0) {
            throw new UserException("cannot check " + commit.shortId() + " out: " + ended.lastLine());
        }
    }

    private void remove(Path own) {
        git(tree, "worktree", "remove", "--force", "--force", own.toString()); // if git knows it
        Folders.discard(own);
        git(tree, "worktree", "prune");
    }

    /// Marks the tree as most recently used.
    private void use(Path own) {
        try {
            Files.setLastModifiedTime(own, FileTime.from(Instant.now()));
            List<Path> kept = new ArrayList<>();
            try (Stream<Path> all = Files.list(folder)) {
                all.filter(Files::isDirectory).forEach(kept::add);
            }
            kept.sort(Comparator.comparing(one -> one.toFile().lastModified()));
            kept.subList(0, Math.max(0, kept.size() - MOST_KEPT)).forEach(this::remove);
        } catch (IOException e) {
            throw new UserException("cannot look into " + folder + ": " + e.getMessage(), e);
        }
    }

    private Tool.Ended git(Path where, String... words) {
        List<String> command = new ArrayList<>(List.of("git", "-C", where.toString()));
        command.addAll(List.of(words));
        return tool.run(GIT_LIMIT, where, command);
    }

    @Override
    public void close() {
        held.close();
    }

    /// A commit of a repository.
    ///
    /// @param id full hash
    /// @param subject first line of its message
    public record Commit(String id, String subject) {

        private static final int SHORT = 9;
        private static final int LONGEST_SUBJECT = 60;

        public String shortId() {
            return id.substring(0, Math.min(SHORT, id.length()));
        }

        /// A label for charts.
        public String title() {
            String shown = subject.length() > LONGEST_SUBJECT ? subject.substring(0, LONGEST_SUBJECT) + "…" : subject;
            return shortId() + " " + shown;
        }
    }

    /// Runs a program to its end, with its output in a file.
    ///
    /// Belongs to the calling thread.
    ///
    /// @param output file for the output of the latest program
    record Tool(Path output, StopSwitch stop) {

        private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

        /// The exit code of a program, and the end of its output.
        record Ended(int code, String output) {

            /// The last non-empty line, or empty.
            String lastLine() {
                return output.lines()
                        .filter(line -> !line.isBlank())
                        .reduce((_, later) -> later)
                        .map(line -> line.strip().replaceAll("\\p{Cntrl}", "?"))
                        .orElse("");
            }
        }

        /// @throws UserException when there is no such program, it exceeds the limit, or the run is stopped
        Ended run(Duration limit, Path folder, List<String> command) {
            try (ServerOutput said = new ServerOutput(output)) {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.redirect());
                builder.environment().remove("KVANT_JAVA_OPTS"); // intended for the laboratory
                Process process = builder.start();
                try {
                    process.getOutputStream().close();
                    await(process, limit, command);
                } finally {
                    process.descendants().forEach(ProcessHandle::destroy);
                    process.destroy();
                }
                return new Ended(process.exitValue(), said.end());
            } catch (IOException e) {
                throw new UserException("cannot run " + command.getFirst() + ": " + e.getMessage(), e);
            }
        }

        private void await(Process process, Duration limit, List<String> command) {
            long deadline = System.nanoTime() + limit.toNanos();
            while (process.isAlive()) {
                if (stop.isStopped()) {
                    throw new UserException("stopped before " + command.getFirst() + " had ended");
                }
                if (System.nanoTime() > deadline) {
                    throw new UserException(command.getFirst() + " took longer than " + limit.toMinutes() + " minutes");
                }
                stop.sleep(LOOK_NANOS);
            }
        }
    }
}
