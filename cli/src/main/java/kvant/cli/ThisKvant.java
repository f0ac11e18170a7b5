package kvant.cli;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.run.Identity;
import kvant.lab.run.KvantCommand;
import org.jspecify.annotations.Nullable;

/// The program that runs, as something that can be started again and named in a report.
final class ThisKvant {

    private static final long GIT_SECONDS = 10;

    private ThisKvant() {}

    /// The same JVM, options of the launcher and class path; without what `KVANT_JAVA_OPTS` adds,
    /// because that is meant for the laboratory.
    static KvantCommand command() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        @Nullable String own = System.getenv("KVANT_JAVA_OPTS");
        if (own != null) {
            java.removeAll(Arrays.asList(own.strip().split("\\s+")));
        }
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return new KvantCommand(java, List.of("-cp", classPath, Main.class.getName()));
    }

    static Identity identity() {
        @Nullable String version = ThisKvant.class.getPackage().getImplementationVersion();
        String name = version == null ? "(unpackaged)" : version;
        @Nullable Path tree = tree();
        if (tree == null) {
            return new Identity(name, "", false);
        }
        String commit = git(tree, "rev-parse", "HEAD");
        boolean changed =
                !git(tree, "status", "--porcelain", "--untracked-files=no").isEmpty();
        return new Identity(name, commit.strip(), changed);
    }

    /// The source tree that the program was built in, where it is still there.
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
