package kvant.dist;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import kvant.text.ExitCode;
import kvant.text.Units;
import kvant.text.UserException;

/// `./kvant package`: creates the packages of a source tree built by the launcher.
final class Main {

    private static final String HELP = """
            Usage: ./kvant package [DIR]
            Make the packages: an archive, a .deb, a container image, a Helm chart, and their checksums.

                  DIR   where they go (default: target/packages).

            SOURCE_DATE_EPOCH is the time of their files (default: that of the commit).
            Exit codes: 0 made, 1 failed (the reason is on stderr), 2 wrong command line.
            """;

    private Main() {}

    /// @param arguments the root of the source tree, the version, the time in seconds, and the user's arguments
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        System.exit(run(words.subList(0, 3), words.subList(3, words.size()), System.out, System.err));
    }

    static int run(List<String> tree, List<String> words, PrintStream out, PrintStream err) {
        if (words.contains("-h") || words.contains("--help")) {
            out.print(HELP);
            return ExitCode.DONE;
        }
        if (words.size() > 1 || words.stream().anyMatch(word -> word.startsWith("-"))) {
            err.println("kvant: unexpected argument '" + words.getLast() + "' (see './kvant package --help')");
            return ExitCode.USAGE;
        }
        try {
            Path root = Path.of(tree.getFirst());
            Path folder = words.isEmpty() ? root.resolve("target/packages") : Path.of(words.getFirst());
            PackageOptions options = new PackageOptions(
                    root, folder.toAbsolutePath(), tree.get(1), time(tree.get(2)), Platform.current());
            for (Path made : Packages.make(options, line -> err.println("kvant: " + line))) {
                out.println(made + "  " + Units.bytes(Files.size(made)));
            }
            return ExitCode.DONE;
        } catch (UserException e) {
            err.println("kvant: " + e.getMessage());
        } catch (IOException e) {
            err.println("kvant: cannot make the packages: " + e.getMessage());
        }
        return ExitCode.FAILED;
    }

    private static Instant time(String seconds) {
        try {
            return Instant.ofEpochSecond(Long.parseLong(seconds));
        } catch (NumberFormatException | DateTimeException _) {
            throw new UserException("SOURCE_DATE_EPOCH=" + seconds + " is no number of seconds since 1970");
        }
    }
}
