package kvant.lab.result;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The version of Kvant.
///
/// @param commit null if unknown
/// @param changed whether its sources differ from that commit
public record Identity(String version, @Nullable String commit, boolean changed) {

    private static final long GIT_SECONDS = 10;

    /// The version of the running program.
    ///
    /// @param type one of its classes, whose jar contains the version
    public static Identity of(Class<?> type) {
        @Nullable String version = type.getPackage().getImplementationVersion();
        String name = version == null ? "(unpackaged)" : version;
        @Nullable Path tree = tree();
        if (tree == null) {
            return new Identity(name, null, false);
        }
        String commit = git(tree, "rev-parse", "HEAD");
        boolean changed =
                !git(tree, "status", "--porcelain", "--untracked-files=no").isEmpty();
        return new Identity(name, commit.isBlank() ? null : commit.strip(), changed);
    }

    /// The source tree that the program was built in, if it still exists.
    private static @Nullable Path tree() {
        String first = System.getProperty("java.class.path").split(File.pathSeparator)[0];
        @Nullable Path folder = Path.of(first).toAbsolutePath();
        while (folder != null && !(Files.exists(folder.resolve(".git")) && Files.exists(folder.resolve("kvant")))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static String git(Path tree, String... words) {
        List<String> command = new ArrayList<>(List.of("git", "-C", tree.toString()));
        command.addAll(List.of(words));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : "";
        } catch (IOException _) {
            return ""; // no git
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
